package io.coil.sandbox.program;

import io.coil.controller.Controller;
import io.coil.controller.ControllerApplication;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.time.VirtualThreads;
import io.coil.sandbox.cluster.Machine;
import io.coil.sandbox.cluster.Program;
import io.coil.sandbox.setup.WebhookCertificate;
import io.kubernetes.client.openapi.models.V1Pod;

import org.springframework.context.ConfigurableApplicationContext;

import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** The controller behind pods of the component {@code coil-controller}. */
public final class ControllerProgram implements Program.Starter {
    private final Access access;
    private final Starts starts;
    private final Map<String, Object> properties;
    private final Webhooks webhooks;
    private final List<ConfigurableApplicationContext> running = new CopyOnWriteArrayList<>();

    ControllerProgram(
            Access access,
            Starts starts,
            Map<String, String> properties,
            WebhookCertificate certificate,
            Webhooks webhooks) {
        this.access = access;
        this.starts = starts;
        this.properties = new HashMap<>(properties);
        this.properties.put("coil.controller.address", "127.0.0.1");
        this.properties.put("coil.controller.metrics-port", "0");
        this.properties.put("coil.controller.health-port", "0");
        this.properties.put("coil.controller.webhook-port", "0");
        this.properties.put("coil.controller.cert-dir", certificate.directory().toString());
        this.webhooks = webhooks;
    }

    @Override
    public Program start(V1Pod pod, Machine machine) throws InterruptedException {
        ClientKubeApi api = access.serviceAccount("coil-controller");
        Map<String, Object> own = new HashMap<>(properties);
        own.put("POD_NAME", Meta.name(pod.getMetadata()));
        ConfigurableApplicationContext context =
                starts.run(pod, () -> ControllerApplication.run(own, api, new VirtualThreads()));
        URI webhook = ControllerApplication.webhookUri(context);
        Controller controller = context.getBean(Controller.class);
        running.add(context);
        webhooks.add(webhook);
        return new ContextProgram(
                context,
                () -> controller.view().synced(),
                () -> webhooks.remove(webhook),
                () -> {
                    running.remove(context);
                    api.close();
                });
    }

    /** Those that run now. */
    public List<ConfigurableApplicationContext> running() {
        return List.copyOf(running);
    }
}
