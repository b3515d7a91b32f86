package io.coil.sandbox.demo;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.time.Timeline;
import io.kubernetes.client.openapi.models.V1Deployment;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Changes the size of deployments that ask for it by the annotation {@code
 * sandbox.coil.io/replicas: <least>-<most>}.
 */
public final class Tide {
    private static final Logger LOG = LoggerFactory.getLogger(Tide.class);
    private static final String ANNOTATION = "sandbox.coil.io/replicas";
    private static final Pattern RANGE = Pattern.compile("(\\d{1,3})-(\\d{1,3})");
    private static final Duration EVERY = Duration.ofSeconds(15);

    private final KubeApi api;
    private final Timeline timeline;

    private record Range(int least, int most) {}

    public Tide(KubeApi api, Timeline timeline) {
        this.api = api;
        this.timeline = timeline;
    }

    public Timeline.Running start() {
        return timeline.start("tide", this::run);
    }

    private void run() throws InterruptedException {
        while (true) {
            timeline.sleep(timeline.jitter(EVERY, 0.4));
            try {
                for (V1Deployment deployment : api.list(Kinds.DEPLOYMENTS, Selection.ALL).items()) {
                    range(deployment).ifPresent(range -> turn(deployment, range));
                }
            } catch (ApiFailure e) {
                LOG.atDebug().setCause(e).log("tide did not turn");
            }
        }
    }

    private void turn(V1Deployment deployment, Range range) {
        int replicas = timeline.random().nextInt(range.least(), range.most() + 1);
        api.patch(
                Kinds.DEPLOYMENTS,
                deployment.getMetadata().getNamespace(),
                Meta.name(deployment.getMetadata()),
                Preconditions.NONE,
                "{\"spec\":{\"replicas\":" + replicas + "}}");
    }

    private static Optional<Range> range(V1Deployment deployment) {
        String text = Meta.annotation(deployment.getMetadata(), ANNOTATION);
        Matcher matcher = RANGE.matcher(text == null ? "" : text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        Range range =
                new Range(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
        return range.least() <= range.most() ? Optional.of(range) : Optional.empty();
    }
}
