/** Who is asked before a write: the configured webhooks. */
package io.coil.apiserver.admission;
