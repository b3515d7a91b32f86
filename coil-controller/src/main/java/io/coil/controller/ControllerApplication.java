package io.coil.controller;

import io.coil.controller.admission.AdmissionEndpoints;
import io.coil.controller.settings.ControllerSettings;
import io.coil.controller.web.BlocksEndpoint;
import io.coil.controller.web.CollectionsEndpoint;
import io.coil.controller.web.ControllerHealth;
import io.coil.controller.web.ControllerLifecycle;
import io.coil.controller.web.Ports;
import io.coil.controller.web.Probes;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.client.ClientSettings;
import io.coil.kubernetes.time.Timeline;
import io.coil.kubernetes.time.VirtualThreads;
import io.micrometer.core.instrument.MeterRegistry;

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
    AdmissionEndpoints.class
})
public class ControllerApplication {
    private static final Map<String, Object> DEFAULTS =
            Map.of(
                    "spring.application.name", "coil-controller",
                    "spring.jmx.enabled", "false",
                    "spring.threads.virtual.enabled", "true",
                    "server.tomcat.threads.min-spare", "1",
                    "management.metrics.use-global-registry", "false",
                    "management.endpoints.web.exposure.include",
                            "health,prometheus,blocks,collections",
                    "management.endpoint.health.show-details", "always",
                    "logging.pattern.console",
                            "%d{HH:mm:ss.SSS} %-5level [%thread] %logger{20} : %msg %kvp%n%wEx");

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
        return new Controller(api, timeline, settings, meters);
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
