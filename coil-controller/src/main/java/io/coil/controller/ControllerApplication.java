package io.coil.controller;

import io.coil.controller.admission.AdmissionEndpoints;
import io.coil.controller.settings.ControllerSettings;
import io.coil.controller.web.BlocksEndpoint;
import io.coil.controller.web.CollectionsEndpoint;
import io.coil.controller.web.ControllerHealth;
import io.coil.controller.web.ControllerInfo;
import io.coil.controller.web.ControllerLifecycle;
import io.coil.controller.web.LeaksEndpoint;
import io.coil.controller.web.Ports;
import io.coil.controller.web.Probes;
import io.coil.kubernetes.api.CountedKubeApi;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.client.ClientSettings;
import io.coil.kubernetes.time.Timeline;
import io.coil.kubernetes.time.VirtualThreads;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** The controller as a program: its settings, its ports, its probes. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({
    ControllerLifecycle.class,
    Ports.class,
    Probes.class,
    ControllerHealth.class,
    BlocksEndpoint.class,
    CollectionsEndpoint.class,
    LeaksEndpoint.class,
    ControllerInfo.class,
    AdmissionEndpoints.class
})
public class ControllerApplication {
    private static final Map<String, Object> DEFAULTS =
            Map.ofEntries(
                    Map.entry("spring.application.name", "coil-controller"),
                    Map.entry("spring.jmx.enabled", "false"),
                    Map.entry("spring.threads.virtual.enabled", "true"),
                    Map.entry("server.tomcat.threads.min-spare", "1"),
                    Map.entry("management.metrics.use-global-registry", "false"),
                    Map.entry(
                            "management.endpoints.web.exposure.include",
                            "health,info,prometheus,blocks,collections,leaks"),
                    Map.entry("management.endpoint.health.show-details", "always"),
                    Map.entry(
                            "logging.pattern.console",
                            "%d{HH:mm:ss.SSS} %-5level [%thread] %logger{20} : %msg %kvp%n%wEx"),
                    Map.entry("management.info.java.enabled", "true"),
                    Map.entry("management.endpoint.health.probes.enabled", "true"),
                    Map.entry(
                            "management.endpoint.health.group.readiness.include",
                            "readinessState,kubernetes"),
                    Map.entry("management.health.diskspace.enabled", "false"),
                    Map.entry("management.health.ssl.enabled", "false"));

    /** Starts it as a process of its own. */
    public static void main(String[] args) {
        SpringApplication application = application();
        application.setRegisterShutdownHook(true);
        application.addInitializers(
                context -> {
                    GenericApplicationContext beans = (GenericApplicationContext) context;
                    beans.registerBean(
                            KubeApi.class, () -> client(beans.getBean(ControllerSettings.class)));
                    beans.registerBean(Timeline.class, VirtualThreads::new);
                });
        application.run(args);
    }

    /**
     * Starts one beside others in this process. Close the context to stop it.
     *
     * @param properties settings by name, Spring's or ours
     */
    public static ConfigurableApplicationContext run(
            Map<String, Object> properties, KubeApi api, Timeline timeline) {
        SpringApplication application = application();
        application.setRegisterShutdownHook(false);
        application.addInitializers(
                context -> {
                    context.getEnvironment()
                            .getPropertySources()
                            .addFirst(new MapPropertySource("given", properties));
                    GenericApplicationContext beans = (GenericApplicationContext) context;
                    beans.registerBean(KubeApi.class, () -> api);
                    beans.registerBean(Timeline.class, () -> timeline);
                });
        return application.run();
    }

    /** Where the API server finds the webhook of a running controller. */
    public static URI webhookUri(ConfigurableApplicationContext context) {
        return context.getBean(Ports.class).webhookUri();
    }

    private static SpringApplication application() {
        SpringApplication application = new SpringApplication(ControllerApplication.class);
        application.setBannerMode(Banner.Mode.OFF);
        application.setDefaultProperties(DEFAULTS);
        return application;
    }

    @Bean
    static ControllerSettings settings(Environment environment) {
        return ControllerSettings.read(environment::getProperty, identity(environment));
    }

    @Bean
    static Controller controller(
            KubeApi api, Timeline timeline, ControllerSettings settings, MeterRegistry meters) {
        CountedKubeApi counted =
                new CountedKubeApi(
                        api,
                        timeline,
                        (verb, resource, outcome, nanos) ->
                                Timer.builder("coil.api.calls")
                                        .description("calls of the Kubernetes API")
                                        .tags(
                                                "verb",
                                                verb,
                                                "resource",
                                                resource,
                                                "outcome",
                                                outcome)
                                        .register(meters)
                                        .record(nanos, TimeUnit.NANOSECONDS));
        return new Controller(counted, timeline, settings, meters);
    }

    private static KubeApi client(ControllerSettings settings) {
        String file = settings.kubeconfig();
        return ClientKubeApi.create(
                file == null
                        ? ClientSettings.found(System.getenv(), "coil-controller")
                        : ClientSettings.kubeconfig(Path.of(file), "coil-controller"));
    }

    /** No two lives of one process share it: the pod's or host's name, and something random. */
    private static String identity(Environment environment) {
        String name = environment.getProperty("POD_NAME");
        return (name == null || name.isBlank() ? hostName() : name) + "_" + UUID.randomUUID();
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "coil-controller";
        }
    }
}
