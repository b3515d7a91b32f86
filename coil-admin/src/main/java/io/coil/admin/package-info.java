/**
 * The admin application: who holds which block, who uses it, what leaks; and the collections that
 * people ask for. It reads the cluster and starts collections in the caller's own name; it decides
 * nothing.
 */
package io.coil.admin;
