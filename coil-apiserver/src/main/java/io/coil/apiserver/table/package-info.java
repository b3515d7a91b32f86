/** Objects as the rows that kubectl prints. */
@NullMarked
package io.coil.apiserver.table;

import org.jspecify.annotations.NullMarked;
