package io.coil.sandbox.cluster;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.time.Timeline;
import io.kubernetes.client.openapi.models.CoreV1Event;
import io.kubernetes.client.openapi.models.V1EventSource;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ObjectReference;
import io.kubernetes.client.openapi.models.V1Pod;

import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Events of a kubelet, one object for each pod and reason whose count goes up. */
final class PodEvents {
    private final KubeApi api;
    private final Timeline timeline;
    private final String node;

    PodEvents(KubeApi api, Timeline timeline, String node) {
        this.api = api;
        this.timeline = timeline;
        this.node = node;
    }

    void warn(V1Pod pod, String reason, String message) {
        String name =
                Meta.name(pod.getMetadata())
                        + "."
                        + Meta.uid(pod.getMetadata()).substring(0, 8)
                        + "-"
                        + reason.toLowerCase(Locale.ROOT);
        String namespace = pod.getMetadata().getNamespace();
        OffsetDateTime now =
                timeline.now().atOffset(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS);
        try {
            CoreV1Event event = api.get(Kinds.EVENTS, namespace, name).orElse(null);
            if (event == null) {
                api.create(Kinds.EVENTS, first(pod, namespace, name, reason, message, now));
            } else {
                int count = event.getCount() == null ? 1 : event.getCount();
                api.replace(
                        Kinds.EVENTS, event.message(message).count(count + 1).lastTimestamp(now));
            }
        } catch (ApiFailure e) {
            // An event that is lost is no harm.
        }
    }

    private CoreV1Event first(
            V1Pod pod,
            String namespace,
            String name,
            String reason,
            String message,
            OffsetDateTime now) {
        return new CoreV1Event()
                .apiVersion("v1")
                .kind("Event")
                .metadata(new V1ObjectMeta().namespace(namespace).name(name))
                .involvedObject(
                        new V1ObjectReference()
                                .apiVersion("v1")
                                .kind("Pod")
                                .namespace(namespace)
                                .name(Meta.name(pod.getMetadata()))
                                .uid(Meta.uid(pod.getMetadata())))
                .type("Warning")
                .reason(reason)
                .message(message)
                .count(1)
                .firstTimestamp(now)
                .lastTimestamp(now)
                .reportingComponent("kubelet")
                .reportingInstance(node)
                .source(new V1EventSource().component("kubelet").host(node));
    }
}
