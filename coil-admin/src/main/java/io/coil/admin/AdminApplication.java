package io.coil.admin;

import io.coil.admin.access.SignInLinks;
import io.coil.admin.act.CallersApi;
import io.coil.admin.namespace.NamespaceConfiguration;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.time.Timeline;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;

/**
 * The admin application: pages, REST, metrics. Holds no static state; several can run in one JVM.
 */
@SpringBootApplication
public class AdminApplication {

    /** Where the Kubernetes API is, is found by {@link ApiConfiguration}. */
    public static void main(String[] args) {
        application(Map.of()).run(args);
    }

    /**
     * Starts one inside another program, on the given API.
     *
     * @param properties settings; {@code server.port} and {@code management.server.port} may be 0;
     *     without {@code coil.kubeconfig} it is not known which namespaces name which pool
     * @param apiFor makes access to the API in the name of a token's owner
     * @return a started context, to be closed in the end
     */
    public static ConfigurableApplicationContext run(
            Map<String, Object> properties, KubeApi api, Timeline timeline, CallersApi apiFor) {
        Map<String, Object> settings = new HashMap<>(properties);
        if (!settings.containsKey("coil.kubeconfig")) {
            settings.putIfAbsent(NamespaceConfiguration.SWITCH, "false");
        }
        SpringApplication application = application(settings);
        application.setRegisterShutdownHook(false);
        application.addInitializers(
                context -> {
                    var beans = context.getBeanFactory();
                    beans.registerSingleton("kubeApi", api);
                    beans.registerSingleton("timeline", timeline);
                    beans.registerSingleton("callersApi", apiFor);
                });
        return application.run();
    }

    /** Where the pages of a started one are. */
    public static URI uri(ConfigurableApplicationContext started) {
        return URI.create("http://localhost:" + port(started.getEnvironment(), "server"));
    }

    /** Where health and metrics of a started one are, on a port of their own. */
    public static URI managementUri(ConfigurableApplicationContext started) {
        return URI.create("http://localhost:" + port(started.getEnvironment(), "management"));
    }

    /** A link to the pages that signs its bearer in as the token's owner, once. */
    public static URI signInLink(ConfigurableApplicationContext started, String token) {
        String code = started.getBean(SignInLinks.class).issue(token);
        return uri(started).resolve("/sign-in?token=" + code);
    }

    private static int port(Environment environment, String server) {
        return environment.getRequiredProperty("local." + server + ".port", Integer.class);
    }

    private static SpringApplication application(Map<String, Object> properties) {
        SpringApplication application = new SpringApplication(AdminApplication.class);
        application.setBannerMode(Banner.Mode.OFF);
        Map<String, Object> defaults = new HashMap<>(Defaults.PROPERTIES);
        defaults.putAll(properties);
        application.setDefaultProperties(defaults);
        return application;
    }
}
