/**
 * Which namespaces name which pool. Seen by an informer of Kubernetes' Spring integration: nothing
 * depends on it but what is shown, so the library's own loop, time-outs and threads are good enough
 * here.
 */
package io.coil.admin.namespace;
