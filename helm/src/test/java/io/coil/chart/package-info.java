/** Tests of the Helm chart: rendered by Helm itself, then read as YAML. */
@NullMarked
package io.coil.chart;

import org.jspecify.annotations.NullMarked;
