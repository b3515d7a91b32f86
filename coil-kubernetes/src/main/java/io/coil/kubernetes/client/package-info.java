/**
 * The seam of the API carried out by the official Kubernetes client. The only package that knows
 * HTTP.
 */
@NullMarked
package io.coil.kubernetes.client;

import org.jspecify.annotations.NullMarked;
