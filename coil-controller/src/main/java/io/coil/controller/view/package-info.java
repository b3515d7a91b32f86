/** What the controller sees of the cluster: small values kept from watches. Hints, never facts. */
@NullMarked
package io.coil.controller.view;

import org.jspecify.annotations.NullMarked;
