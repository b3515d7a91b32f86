/**
 * What was: who had an address when, which node held which block, and who changed what. Kept in a
 * database that is never in the way: without it everything else goes on.
 */
package io.coil.admin.history;
