package io.coil.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.apiserver.ApiEndpoint;
import io.coil.apiserver.ApiServerBuilder;
import io.coil.controller.settings.ControllerSettings;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.client.ClientSettings;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.time.Timeline;
import io.coil.kubernetes.time.VirtualThreads;
import io.coil.testing.Servers;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;

/** An API server, controllers against it, and the words in which the tests are told. */
final class Cluster extends ApiObjects implements AutoCloseable {
    private static final Map<String, String> QUICK =
            Map.ofEntries(
                    // Longer than a busy machine is away: who leads stays leader.
                    Map.entry("coil.controller.lease-duration", "5s"),
                    Map.entry("coil.controller.lease-renew-deadline", "4s"),
                    Map.entry("coil.controller.lease-retry", "100ms"),
                    Map.entry("coil.controller.node-grace", "500ms"),
                    Map.entry("coil.controller.run-deadline", "2s"),
                    Map.entry("coil.controller.request-poll", "1s"),
                    Map.entry("coil.controller.pool-status-interval", "100ms"));

    /** For those that wait until a leader is deposed that does not say so. */
    static final String[] SHORT_LEASE = {
        "controller.lease-duration", "1s", "controller.lease-renew-deadline", "700ms"
    };

    final Timeline timeline = new VirtualThreads();
    final ApiEndpoint server;
    private final List<Controller> controllers = new ArrayList<>();
    private int made;

    Cluster() {
        this(Servers.IN_JVM);
    }

    Cluster(Servers on) {
        this(on, b -> b);
    }

    /** On the server in the JVM, with what is special about it. */
    Cluster(UnaryOperator<ApiServerBuilder> how) {
        this(Servers.IN_JVM, how);
    }

    /**
     * @param how what is special about the server, if it is the one in the JVM
     */
    Cluster(Servers on, UnaryOperator<ApiServerBuilder> how) {
        this(on.open(how));
    }

    private Cluster(ApiEndpoint server) {
        super(client(server, "tester"));
        this.server = server;
        if (api.get(Kinds.NAMESPACES, null, "kube-system").isEmpty()) {
            api.create(
                    Kinds.NAMESPACES,
                    new V1Namespace()
                            .apiVersion("v1")
                            .kind("Namespace")
                            .metadata(new V1ObjectMeta().name("kube-system")));
        }
    }

    /** {@code name}: what fault rules know its calls by. */
    KubeApi client(String name) {
        return client(server, name);
    }

    private static KubeApi client(ApiEndpoint server, String name) {
        return ClientKubeApi.create(
                ClientSettings.direct(
                        server.url(),
                        server.adminToken(),
                        new String(server.caCertificate(), StandardCharsets.UTF_8),
                        name));
    }

    /** Starts one more; its calls have the User-Agent c1, c2, ... */
    Controller controller(String... settings) {
        made++;
        return controller("c" + made, client("c" + made), settings);
    }

    Controller controller(String name, KubeApi seam, String... settings) {
        return controller(name, seam, new SimpleMeterRegistry(), settings);
    }

    Controller controller(String name, KubeApi seam, MeterRegistry meters, String... settings) {
        Controller controller = new Controller(seam, timeline, settings(name, settings), meters);
        controllers.add(controller);
        controller.start();
        return controller;
    }

    static ControllerSettings settings(String name, String... settings) {
        Map<String, String> all = new HashMap<>(QUICK);
        for (int i = 0; i < settings.length; i += 2) {
            all.put("coil." + settings[i], settings[i + 1]);
        }
        return ControllerSettings.read(all::get, name);
    }

    /** A controller that leads and has its ledger. */
    Controller leader(String... settings) {
        Controller controller = controller(settings);
        eventually(() -> controller.isGranting());
        return controller;
    }

    static void eventually(Callable<Boolean> what) {
        within(Duration.ofSeconds(10), what);
    }

    static void within(Duration most, Callable<Boolean> what) {
        await().atMost(most).pollInterval(Duration.ofMillis(20)).ignoreExceptions().until(what);
    }

    /** It is so for that time. */
    static void stays(Duration time, Callable<Boolean> what) {
        await().during(time).atMost(time.plusSeconds(3)).until(what);
    }

    @Override
    public void close() {
        for (Controller controller : controllers) {
            try {
                controller.stop();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        try {
            assertInvariants();
        } finally {
            server.close();
        }
    }

    /**
     * What must be true of everything that controllers have granted; every test ends with it.
     * Numbers as in the manual.
     */
    void assertInvariants() {
        server.faults().clear();
        Map<String, String> blockOfRequest = new HashMap<>();
        List<AddressBlock> granted = new ArrayList<>();
        for (AddressBlock block : api.list(Kinds.BLOCKS, Selection.ALL).items()) {
            String request = block.request();
            if (request == null) {
                continue; // made by hand, as a test wanted it
            }
            assertThat(Meta.name(block.metadata()))
                    .as("2: a block's name is its index")
                    .isEqualTo(block.pool() + "-" + block.index());
            assertThat(blockOfRequest.put(request, Meta.name(block.metadata())))
                    .as("4: one request, at most one block")
                    .isNull();
            assertThat(granted)
                    .as("1: no two blocks overlap")
                    .noneMatch(
                            other ->
                                    other.range()
                                            .orElseThrow()
                                            .overlaps(block.range().orElseThrow()));
            granted.add(block);
        }
    }
}
