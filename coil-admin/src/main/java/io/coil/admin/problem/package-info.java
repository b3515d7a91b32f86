/** What went wrong, as people and programs are told (RFC 9457). */
package io.coil.admin.problem;
