/** Starting a collection for somebody, in that person's own name. */
package io.coil.admin.collect;
