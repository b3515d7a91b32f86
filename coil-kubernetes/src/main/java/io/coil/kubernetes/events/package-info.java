/** Kubernetes events: what people are told beside the objects. */
@NullMarked
package io.coil.kubernetes.events;

import org.jspecify.annotations.NullMarked;
