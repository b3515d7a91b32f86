package io.coil.controller.web;

import io.coil.controller.settings.ControllerSettings;
import io.coil.controller.settings.PortSettings;
import io.coil.kubernetes.access.Lookers;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.time.Timeline;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.apache.catalina.connector.Connector;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Three ports of one server, and what may be asked on which: metrics and Actuator, probes,
 * admission over TLS. A path that belongs to another port is not found.
 */
public class Ports implements WebServerFactoryCustomizer<TomcatServletWebServerFactory>, Ordered {
    private static final List<String> METRICS_PATHS = List.of("/metrics", "/actuator");
    private static final List<String> HEALTH_PATHS = List.of("/healthz", "/readyz", "/livez");
    private static final List<String> WEBHOOK_PATHS = List.of("/mutate-", "/validate-");

    private final ControllerSettings settings;
    private final Timeline timeline;
    private final KubeApi api;
    private @Nullable Connector metrics;
    private @Nullable Connector health;
    private @Nullable Connector webhook;
    private @Nullable WebhookTls tls;

    public Ports(ControllerSettings settings, Timeline timeline, KubeApi api) {
        this.settings = settings;
        this.timeline = timeline;
        this.api = api;
    }

    @Override
    public void customize(TomcatServletWebServerFactory factory) {
        PortSettings ports = settings.ports();
        InetAddress address = address(ports.address());
        // Spring's own connector is the metrics port; if that is off, one that nobody finds.
        boolean served = ports.metrics() >= 0;
        factory.setPort(served ? ports.metrics() : 0);
        factory.setAddress(served ? address : InetAddress.getLoopbackAddress());
        factory.addConnectorCustomizers(connector -> metrics = connector);
        if (ports.health() >= 0) {
            health = connector(ports.health(), address);
            factory.addAdditionalConnectors(health);
        }
        if (ports.webhook() >= 0) {
            webhook = connector(ports.webhook(), address);
            tls = WebhookTls.protect(webhook, settings.webhook(), timeline, api);
            factory.addAdditionalConnectors(webhook);
        }
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Bean
    static FilterRegistrationBean<Filter> onlyItsPaths(Ports ports) {
        FilterRegistrationBean<Filter> filter =
                new FilterRegistrationBean<>(
                        (request, response, chain) -> {
                            if (ports.serves((HttpServletRequest) request)) {
                                chain.doFilter(request, response);
                            } else {
                                ((HttpServletResponse) response).sendError(404);
                            }
                        });
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return filter;
    }

    /** After the other: what is not found on a port is not found with a token either. */
    @Bean
    static FilterRegistrationBean<ActuatorGate> controllerGate(KubeApi api, Timeline timeline) {
        FilterRegistrationBean<ActuatorGate> filter =
                new FilterRegistrationBean<>(new ActuatorGate(new Lookers(api, timeline)));
        filter.addUrlPatterns("/actuator", "/actuator/*");
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE + 1);
        return filter;
    }

    /** Where admission is asked; the host is as in a certificate that we make. */
    public URI webhookUri() {
        return URI.create(
                "https://%s:%d".formatted(settings.webhook().host(), port(webhook, "webhook")));
    }

    /** What a client of the webhook must trust, in PEM, if it was made at start; else null. */
    public @Nullable String webhookCertificate() {
        return tls == null ? null : tls.toTrust();
    }

    /** Why the webhook cannot be called yet, as a sentence; null: it can, or is off. */
    @Nullable String webhookNotReady() {
        return tls == null ? null : tls.notReady();
    }

    public int metricsPort() {
        return port(metrics, "metrics");
    }

    public int healthPort() {
        return port(health, "health");
    }

    private boolean serves(HttpServletRequest request) {
        int port = request.getLocalPort();
        String path = request.getRequestURI();
        if (path.equals("/error")) {
            return true;
        }
        if (isAt(health, port)) {
            return begins(path, HEALTH_PATHS);
        }
        if (isAt(webhook, port)) {
            return begins(path, WEBHOOK_PATHS);
        }
        return isAt(metrics, port)
                && settings.ports().metrics() >= 0
                && begins(path, METRICS_PATHS);
    }

    private static boolean begins(String path, List<String> prefixes) {
        return prefixes.stream().anyMatch(path::startsWith);
    }

    private static boolean isAt(@Nullable Connector connector, int port) {
        return connector != null && connector.getLocalPort() == port;
    }

    private static int port(@Nullable Connector connector, String which) {
        if (connector == null) {
            throw new IllegalStateException("the " + which + " port is off");
        }
        return connector.getLocalPort();
    }

    private static Connector connector(int port, InetAddress address) {
        Connector connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
        connector.setPort(port);
        AbstractHttp11Protocol<?> protocol =
                (AbstractHttp11Protocol<?>) connector.getProtocolHandler();
        protocol.setAddress(address);
        protocol.setExecutor(new VirtualThreadExecutor("http-" + port + "-"));
        return connector;
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("no address: " + text, e);
        }
    }
}
