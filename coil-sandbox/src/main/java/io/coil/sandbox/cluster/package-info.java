/**
 * The parts of a cluster that Coil does not bring: scheduler, workload controllers, and on each
 * simulated machine a kubelet that calls the CNI plugin as a container runtime does.
 *
 * <p>All of it acts on the Kubernetes API and on time through the same seams as the applications,
 * so it can take part in a simulation.
 */
@NullMarked
package io.coil.sandbox.cluster;

import org.jspecify.annotations.NullMarked;
