package io.coil.sandbox.program;

import io.coil.sandbox.SandboxSettings;
import io.coil.sandbox.cluster.Program;
import io.coil.sandbox.setup.WebhookCertificate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** The three programs, each started by pods that carry its component label. */
public final class Programs {
    /**
     * What is on the class path for the admin application only, and would slow the others' start.
     */
    private static final String FOR_PAGES_ONLY =
            String.join(
                    ",",
                    "org.springframework.boot.thymeleaf.autoconfigure.ThymeleafAutoConfiguration",
                    "org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration",
                    "org.springframework.boot.servlet.autoconfigure.MultipartAutoConfiguration",
                    "io.kubernetes.client.spring.extended.controller.config.KubernetesInformerAutoConfiguration",
                    "io.kubernetes.client.spring.extended.controller.config.KubernetesReconcilerAutoConfiguration",
                    "io.kubernetes.client.spring.extended.manifests.config.KubernetesManifestsAutoConfiguration");

    private final Starts starts = new Starts();
    private final List<Program> running = new CopyOnWriteArrayList<>();
    private final AdminProgram admin;
    private final ControllerProgram controller;
    private final AgentProgram agents;
    private final Map<String, Program.Starter> starters;

    public Programs(
            Access access,
            Machines machines,
            SandboxSettings settings,
            WebhookCertificate certificate,
            Webhooks webhooks) {
        Map<String, String> forAll = new HashMap<>(settings.properties());
        forAll.put("spring.main.register-shutdown-hook", "false");
        forAll.put("spring.main.banner-mode", "off");
        Map<String, String> withoutPages = new HashMap<>(forAll);
        withoutPages.put("spring.autoconfigure.exclude", FOR_PAGES_ONLY);
        withoutPages.put("springdoc.api-docs.enabled", "false");
        withoutPages.put("springdoc.swagger-ui.enabled", "false");
        this.admin =
                new AdminProgram(access, starts, forAll, settings.adminPort(), settings.stateDir());
        this.controller =
                new ControllerProgram(access, starts, withoutPages, certificate, webhooks);
        this.agents = new AgentProgram(access, starts, withoutPages, machines);
        this.starters =
                Map.of(
                        "coil-controller",
                        watched(controller),
                        "coil-agent",
                        watched(agents),
                        "coil-admin",
                        watched(admin));
    }

    private Program.Starter watched(Program.Starter starter) {
        return (pod, machine) -> {
            Program program = starter.start(pod, machine);
            running.removeIf(p -> !p.alive());
            running.add(program);
            return program;
        };
    }

    /** How many really run and do their work, whatever their pods' status says. */
    public long ready() {
        return running.stream().filter(Program::ready).count();
    }

    /** By component label. */
    public Map<String, Program.Starter> starters() {
        return starters;
    }

    /** How many starts failed so far. */
    public int failures() {
        return starts.failures();
    }

    /** Which program did not start, and why; empty if all did. */
    public String lastFailure() {
        return starts.lastFailure();
    }

    public ControllerProgram controller() {
        return controller;
    }

    public AgentProgram agents() {
        return agents;
    }

    public AdminProgram admin() {
        return admin;
    }
}
