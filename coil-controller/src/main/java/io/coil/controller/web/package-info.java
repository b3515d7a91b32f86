/** Ports, probes, metrics: the glue to Spring. */
@NullMarked
package io.coil.controller.web;

import org.jspecify.annotations.NullMarked;
