package io.coil.agent.spring;

import io.coil.agent.Agent;
import io.coil.agent.AgentSettings;
import io.coil.agent.kernel.Kernel;
import io.coil.core.settings.BadSettingException;
import io.coil.kubernetes.api.CountedKubeApi;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.client.ClientSettings;
import io.coil.kubernetes.time.Timeline;
import io.coil.kubernetes.time.VirtualThreads;
import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.Environment;

import java.util.HashMap;
import java.util.Map;

/** The agent as a program: its settings, its ports, its probes. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({
    AgentLifecycle.class,
    Probes.class,
    AgentHealth.class,
    ServingHealth.class,
    BlocksEndpoint.class,
    CollectionsEndpoint.class,
    LeaksEndpoint.class,
    AgentInfo.class,
    AgentMeters.class
})
public class AgentApplication {

    /** Starts it as a process of its own. */
    public static void main(String[] args) {
        SpringApplication application = application(Map.of());
        application.run(args);
    }

    /**
     * Starts one beside others in this process.
     *
     * @param properties settings by name, Spring's or ours
     */
    public static ConfigurableApplicationContext run(
            Map<String, Object> properties, KubeApi api, Kernel kernel, Timeline time) {
        SpringApplication application = application(properties);
        application.addInitializers(
                context -> {
                    GenericApplicationContext beans = (GenericApplicationContext) context;
                    beans.registerBean("kubeApi", KubeApi.class, () -> api);
                    beans.registerBean("kernel", Kernel.class, () -> kernel);
                    beans.registerBean("timeline", Timeline.class, () -> time);
                });
        return application.run();
    }

    private static SpringApplication application(Map<String, Object> properties) {
        SpringApplication application = new SpringApplication(AgentApplication.class);
        application.setBannerMode(Banner.Mode.OFF);
        Map<String, Object> defaults = new HashMap<>(PortProperties.DEFAULTS);
        application.setDefaultProperties(defaults);
        application.addInitializers(new PortProperties(properties));
        application.setRegisterShutdownHook(properties.isEmpty());
        return application;
    }

    @Bean
    static AgentSettings settings(Environment environment) {
        String version = AgentApplication.class.getPackage().getImplementationVersion();
        return AgentSettings.read(environment::getProperty, version == null ? "dev" : version);
    }

    @Bean
    @ConditionalOnMissingBean
    static Timeline timeline() {
        return new VirtualThreads();
    }

    @Bean
    @ConditionalOnMissingBean
    static KubeApi kubeApi() {
        return ClientKubeApi.create(ClientSettings.found(System.getenv(), "coil-agent"));
    }

    @Bean
    static Agent agent(
            AgentSettings settings,
            KubeApi api,
            @Nullable Kernel kernel,
            Timeline time,
            MeterRegistry meters) {
        if (kernel == null) {
            throw new BadSettingException(
                    "coil.agent.kernel",
                    "linux",
                    "only a kernel that the sandbox brings along: this version drives no real one");
        }
        KubeApi counted = new CountedKubeApi(api, time, AgentMeters.calls(meters));
        return new Agent(counted, kernel, time, settings);
    }
}
