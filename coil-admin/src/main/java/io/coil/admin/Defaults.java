package io.coil.admin;

import java.util.HashMap;
import java.util.Map;

/**
 * Defaults of Spring Boot's own settings. In code and not in a file, because several applications
 * with different defaults can run on one class path.
 */
final class Defaults {
    static final Map<String, Object> PROPERTIES = properties();

    private Defaults() {}

    private static Map<String, Object> properties() {
        Map<String, Object> p = new HashMap<>();
        p.put("spring.config.name", "coil-admin");
        p.put("spring.application.name", "coil-admin");
        p.put("spring.main.banner-mode", "off");
        p.put("spring.jmx.enabled", "false");

        // Of Kubernetes' Spring integration only the informers are used.
        p.put("kubernetes.manifests.enabled", "false");
        p.put("kubernetes.reconciler.enabled", "false");
        // Its errors are told once, by ours.
        p.put("logging.level.io.kubernetes.client.informer.cache", "off");
        p.put("logging.level.org.springdoc", "error");
        p.put("logging.level.com.zaxxer.hikari", "off");
        // It warns of each H2 that is younger than itself.
        p.put("logging.level.org.flywaydb", "error");
        p.put("logging.level.org.springframework.core.events", "error");

        p.put("server.port", "8080");
        p.put("server.shutdown", "graceful");
        p.put("spring.lifecycle.timeout-per-shutdown-phase", "5s");
        // Forwarded headers count only if a private address sends them; redirects need none.
        p.put("server.forward-headers-strategy", "native");
        p.put("server.tomcat.use-relative-redirects", "true");
        p.put("server.servlet.session.timeout", "60m");
        p.put("server.servlet.session.cookie.name", "coil-session");
        p.put("server.servlet.session.cookie.http-only", "true");
        // Lax, not Strict: a link in a chat must not lead to the sign-in page.
        p.put("server.servlet.session.cookie.same-site", "lax");
        p.put("server.servlet.session.tracking-modes", "cookie");
        p.put("server.compression.enabled", "true");
        p.put("server.tomcat.threads.max", "32");
        p.put("spring.threads.virtual.enabled", "true");

        p.put("spring.thymeleaf.prefix", "classpath:/console/pages/");
        p.put("spring.web.resources.static-locations", "classpath:/console/static/");
        p.put("spring.web.resources.cache.cachecontrol.no-cache", "true");
        p.put("spring.jackson.deserialization.fail-on-unknown-properties", "true");
        p.put("spring.mvc.log-resolved-exception", "false");

        p.put("management.server.port", "8081");
        p.put(
                "management.endpoints.web.exposure.include",
                "health,info,prometheus,blocks,collections,leaks");
        p.put("management.endpoint.health.show-details", "always");
        p.put("management.endpoint.health.probes.enabled", "true");
        p.put("management.endpoint.health.probes.add-additional-paths", "true");
        p.put("management.endpoint.health.group.readiness.include", "readinessState,image");
        p.put("management.info.java.enabled", "true");
        p.put("management.health.diskspace.enabled", "false");
        p.put("management.health.ssl.enabled", "false");

        p.put("springdoc.packages-to-scan", "io.coil.admin.rest");
        p.put("springdoc.swagger-ui.path", "/swagger-ui");
        p.put("springdoc.api-docs.path", "/v3/api-docs");
        return Map.copyOf(p);
    }
}
