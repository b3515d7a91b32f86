package io.coil.kubernetes.events;

import com.google.gson.JsonObject;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Retry;
import io.coil.kubernetes.time.Timeline;
import io.kubernetes.client.openapi.models.CoreV1Event;
import io.kubernetes.client.openapi.models.V1EventSource;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Writes events: one object for what is said again and again, and not too often. One task uses it.
 */
final class EventWriter {
    private static final int REMEMBERED = 1_000;
    private static final int MOST_NAME = 230;
    private static final Retry RETRY =
            new Retry(Duration.ofMillis(500), Duration.ofSeconds(5), 4, Duration.ofSeconds(15));

    /** An event that was written: its name, and how often the same was said. */
    private static final class Told {
        String event = "";
        int count;
    }

    /** What is limited together. */
    private record Topic(Subject about, String reason) {}

    private final KubeApi api;
    private final Timeline timeline;
    private final String component;
    private final String instance;
    private final Map<Saying, Told> told = remembering();
    private final Map<Topic, Bucket> limits = remembering();

    EventWriter(KubeApi api, Timeline timeline, String component, String instance) {
        this.api = api;
        this.timeline = timeline;
        this.component = component;
        this.instance = instance;
    }

    void write(Saying saying) throws InterruptedException {
        Told before = told.computeIfAbsent(saying, s -> new Told());
        before.count++;
        Bucket limit =
                limits.computeIfAbsent(
                        new Topic(saying.about(), saying.reason()),
                        t -> new Bucket(timeline.nanos()));
        if (!limit.take(timeline.nanos())) {
            return;
        }
        if (before.event.isEmpty() || !raised(saying, before)) {
            before.event = RETRY.call(timeline, () -> created(saying, before.count));
        }
    }

    /** False if the server has forgotten the event: it keeps them for an hour. */
    private boolean raised(Saying saying, Told before) throws InterruptedException {
        JsonObject patch = new JsonObject();
        patch.addProperty("count", before.count);
        patch.addProperty("lastTimestamp", timeline.now().toString());
        try {
            RETRY.run(
                    timeline,
                    () ->
                            api.patch(
                                    Kinds.EVENTS,
                                    saying.about().home(),
                                    before.event,
                                    Preconditions.NONE,
                                    patch.toString()));
            return true;
        } catch (ApiFailure.Stale gone) {
            before.count = 1;
            return false;
        }
    }

    private String created(Saying saying, int count) {
        Instant now = timeline.now();
        String about = saying.about().name();
        String name =
                about.substring(0, Math.min(about.length(), MOST_NAME))
                        + "."
                        + Long.toHexString(timeline.random().nextLong());
        CoreV1Event event =
                new CoreV1Event()
                        .metadata(new V1ObjectMeta().namespace(saying.about().home()).name(name))
                        .involvedObject(saying.about().reference())
                        .type(saying.type())
                        .reason(saying.reason())
                        .message(saying.message())
                        .count(count)
                        .firstTimestamp(now.atOffset(ZoneOffset.UTC))
                        .lastTimestamp(now.atOffset(ZoneOffset.UTC))
                        .source(new V1EventSource().component(component).host(instance))
                        .reportingComponent(component)
                        .reportingInstance(instance);
        api.create(Kinds.EVENTS, event);
        return name;
    }

    private static <K, V> Map<K, V> remembering() {
        return new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > REMEMBERED;
            }
        };
    }
}
