/**
 * The read model: one immutable image of pools, blocks, nodes, runs and the pods in their
 * addresses. Whatever shows a number takes it from here, so numbers agree.
 */
package io.coil.admin.snapshot;
