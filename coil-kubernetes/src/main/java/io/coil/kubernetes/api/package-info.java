/**
 * The seam of the API: what can be asked of Kubernetes, what can go wrong, and how to try again.
 * What it is carried out by is elsewhere.
 */
@NullMarked
package io.coil.kubernetes.api;

import org.jspecify.annotations.NullMarked;
