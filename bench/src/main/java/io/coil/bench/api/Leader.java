package io.coil.bench.api;

import io.coil.controller.Controller;
import io.coil.controller.settings.ControllerSettings;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.time.Timeline;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;

/** Our controller in this process, with the settings of production. */
public final class Leader implements AutoCloseable {
    private final Controller controller;

    private Leader(Controller controller) {
        this.controller = controller;
    }

    public static Leader start(KubeApi api, Timeline timeline) {
        return start(api, timeline, Map.of());
    }

    /** {@code settings} differ from the defaults. */
    public static Leader start(KubeApi api, Timeline timeline, Map<String, String> settings) {
        Controller controller =
                new Controller(
                        api,
                        timeline,
                        ControllerSettings.read(settings::get, "bench-" + UUID.randomUUID()),
                        new SimpleMeterRegistry());
        controller.start();
        return new Leader(controller);
    }

    /** Waits until it leads. */
    public void awaitGranting(Timeline timeline, Duration most) throws InterruptedException {
        long until = timeline.nanos() + most.toNanos();
        while (!controller.isGranting()) {
            if (timeline.nanos() - until > 0) {
                throw new IllegalStateException("the controller does not get to lead");
            }
            timeline.sleep(Duration.ofMillis(5));
        }
    }

    @Override
    public void close() {
        try {
            controller.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
