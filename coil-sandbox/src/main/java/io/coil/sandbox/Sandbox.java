package io.coil.sandbox;

import io.coil.agent.kernel.SimulatedKernel;
import io.coil.apiserver.ApiEndpoint;
import io.coil.apiserver.ApiServer;
import io.coil.apiserver.http.PortInUseException;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.resource.Crds;
import io.coil.kubernetes.time.VirtualThreads;
import io.coil.sandbox.check.GivenBack;
import io.coil.sandbox.check.World;
import io.coil.sandbox.cluster.Cluster;
import io.coil.sandbox.cluster.CniEntry;
import io.coil.sandbox.demo.Tide;
import io.coil.sandbox.log.Logging;
import io.coil.sandbox.log.PodLogs;
import io.coil.sandbox.program.Access;
import io.coil.sandbox.program.Machines;
import io.coil.sandbox.program.Programs;
import io.coil.sandbox.program.Webhooks;
import io.coil.sandbox.setup.AdministeredPods;
import io.coil.sandbox.setup.ClusterObjects;
import io.coil.sandbox.setup.Ports;
import io.coil.sandbox.setup.StateDirectory;
import io.coil.sandbox.setup.WebhookCertificate;

import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * A running sandbox: API server, cluster, and the programs in their pods.
 *
 * <p>What was started is ended in the opposite order, also when a start fails half-way.
 */
public final class Sandbox implements AutoCloseable {
    private static final Duration LONGEST_START = Duration.ofMinutes(2);
    private static final int MOST_FAILURES = 5;
    private static final String CONTROL_PLANE = "coil-control-plane";

    /** Ended last to first. */
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    private final VirtualThreads timeline = new VirtualThreads();
    private final SandboxSettings settings;
    private final Console console;
    private final Machines machines = new Machines();
    private final ApiEndpoint server;
    private final Programs programs;
    private final ClientKubeApi api;
    private final GivenBack givenBack;
    private final Cluster cluster;
    private final ClusterObjects objects;
    private boolean closed;

    /**
     * An API server that is there already, empty but for our CRDs.
     *
     * @param server the caller closes it
     * @param gateway opens a port by which the server reaches the controllers' webhooks
     */
    public record Elsewhere(ApiEndpoint server, Function<Webhooks, URI> gateway) {}

    /** Starts everything; does not wait until it is ready. */
    public static Sandbox start(SandboxSettings settings, Console console)
            throws CannotStart, InterruptedException {
        Logging.keepSpringOut();
        Ports.requireFree(settings.apiPort(), "--api-port");
        return new Sandbox(settings, console, null);
    }

    /** The same around a server that is there already; no state directory, no port of its own. */
    public static Sandbox start(SandboxSettings settings, Console console, Elsewhere elsewhere)
            throws CannotStart, InterruptedException {
        Logging.keepSpringOut();
        return new Sandbox(settings, console, elsewhere);
    }

    private Sandbox(SandboxSettings settings, Console console, @Nullable Elsewhere elsewhere)
            throws CannotStart, InterruptedException {
        Ports.requireFree(settings.adminPort(), "--admin-port");
        this.settings = settings;
        this.console = console;
        boolean started = false;
        try {
            StateDirectory state = takeStateDirectory();
            Path directory = state == null ? null : state.path();
            console.say("Starting a control plane and %d workers".formatted(settings.workers()));
            PodLogs logs =
                    Logging.start(directory == null ? null : directory.resolve("sandbox.log"));
            WebhookCertificate webhook = WebhookCertificate.make(webhookDirectory(directory));
            Webhooks webhooks = new Webhooks();
            this.server =
                    elsewhere == null ? startServer(directory, logs, webhooks) : elsewhere.server();
            Access access = new Access(server);
            this.programs = new Programs(access, machines, settings, webhook, webhooks);
            this.api = keep(access.administrator("sandbox"));
            this.givenBack = new GivenBack(server, api);
            this.objects = new ClusterObjects(server);
            objects.apply(
                    webhook.authority(),
                    elsewhere == null ? null : elsewhere.gateway().apply(webhooks));
            if (state != null) {
                writeFiles(state);
            }
            this.cluster =
                    new Cluster(
                            api,
                            new AdministeredPods(server),
                            timeline,
                            machines::make,
                            programs.starters(),
                            settings.kubelet());
            open.push(cluster::stop);
            cluster.start(CONTROL_PLANE, workers(settings.workers()));
            console.step("cluster started, programs are starting");
            started = true;
        } catch (PortInUseException e) {
            throw new CannotStart(
                    "port %d is in use: stop what uses it, or choose another with --api-port"
                            .formatted(settings.apiPort()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            if (!started) {
                close();
            }
        }
    }

    private @Nullable StateDirectory takeStateDirectory() throws CannotStart {
        Path directory = settings.stateDir();
        return directory == null ? null : keep(StateDirectory.take(directory));
    }

    private Path webhookDirectory(@Nullable Path directory) throws IOException {
        if (directory != null) {
            return directory.resolve("webhook");
        }
        Path temporary = Files.createTempDirectory("coil-webhook");
        open.push(
                () -> {
                    Files.deleteIfExists(temporary.resolve("tls.crt"));
                    Files.deleteIfExists(temporary.resolve("tls.key"));
                    Files.deleteIfExists(temporary);
                });
        return temporary;
    }

    private ApiServer startServer(@Nullable Path directory, PodLogs logs, Webhooks webhooks)
            throws IOException {
        var builder =
                ApiServer.builder()
                        .port(settings.apiPort())
                        .stateDir(directory == null ? null : directory.resolve("apiserver"))
                        .logs(logs)
                        .serviceResolver(webhooks::resolve);
        Crds.files().forEach(file -> builder.crds(Crds.open(file)));
        ApiServer made = keep(builder.build());
        made.start();
        return made;
    }

    private void writeFiles(StateDirectory state) throws IOException {
        state.write("kubeconfig", server.adminKubeconfig());
        state.write("viewer.kubeconfig", server.kubeconfig("viewer", server.viewerToken()));
        state.write("admin.token", server.adminToken());
        state.write("viewer.token", server.viewerToken());
        state.write("admin.url", "http://localhost:" + settings.adminPort());
    }

    private static List<String> workers(int count) {
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            names.add(i == 1 ? "coil-worker" : "coil-worker" + i);
        }
        return names;
    }

    /** Waits until every program is up, and makes the pool {@code default}. */
    public void awaitReady() throws CannotStart, InterruptedException {
        long end = timeline.nanos() + LONGEST_START.toNanos();
        long reported = -1;
        while (true) {
            long ready = programs.ready();
            int expected = machines.kernels().size() + replicas("coil-controller", "coil-admin");
            if (ready >= expected) {
                break;
            }
            if (ready != reported) {
                console.step("%d of %d programs ready".formatted(ready, expected));
                reported = ready;
            }
            if (timeline.nanos() > end || programs.failures() >= MOST_FAILURES) {
                throw new CannotStart(
                        "a program does not start; %s".formatted(programs.lastFailure()));
            }
            timeline.sleep(Duration.ofMillis(50));
        }
        // Without a controller nobody admits a pool.
        if (replicas("coil-controller") > 0) {
            objects.createDefaultPool();
            if (settings.demo()) {
                objects.createDemo();
            }
        }
        if (settings.demo()) {
            Tide tide = new Tide(api, timeline);
            open.push(tide.start()::stop);
        }
    }

    /** What is asked for; somebody may have scaled them in an earlier life. */
    private int replicas(String... deployments) {
        int replicas = 0;
        for (String name : deployments) {
            replicas +=
                    api.get(Kinds.DEPLOYMENTS, "kube-system", name)
                            .map(d -> d.getSpec().getReplicas())
                            .orElse(0);
        }
        return replicas;
    }

    /** The API as an administrator. */
    public KubeApi api() {
        return api;
    }

    public ApiEndpoint server() {
        return server;
    }

    public Programs programs() {
        return programs;
    }

    /** Kernels of the machines, by node. */
    public Map<String, SimulatedKernel> kernels() {
        return machines.kernels();
    }

    /** The CNI plugin of a node, as its container runtime calls it. */
    public CniEntry plugin(String node) {
        return machines.plugin(node);
    }

    /** What the invariants are about, as it is now. */
    public World world() {
        return World.read(api, kernels(), cluster.liveContainers(), givenBack);
    }

    public URI adminUrl() {
        return Objects.requireNonNull(programs.admin().uri(), "the admin application does not run");
    }

    public URI signInLink() {
        return Objects.requireNonNull(
                programs.admin().signInLink(server.adminToken()),
                "the admin application does not run");
    }

    private <T extends AutoCloseable> T keep(T resource) {
        open.push(resource);
        return resource;
    }

    /** Ends everything; safe to call twice. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                LoggerFactory.getLogger(Sandbox.class)
                        .atDebug()
                        .setCause(e)
                        .log("something did not end cleanly");
            }
        }
    }
}
