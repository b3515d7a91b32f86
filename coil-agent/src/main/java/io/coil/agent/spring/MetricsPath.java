package io.coil.agent.spring;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;

import java.io.IOException;

/** {@code /metrics} beside {@code /actuator/prometheus}: the path that scrapers of Coil v2 know. */
@ManagementContextConfiguration(proxyBeanMethods = false)
class MetricsPath {

    @Bean
    static ServletRegistrationBean<HttpServlet> metrics(PrometheusMeterRegistry registry) {
        return new ServletRegistrationBean<>(new Scrape(registry), "/metrics");
    }

    private static final class Scrape extends HttpServlet {
        private static final long serialVersionUID = 1L;
        private final transient PrometheusMeterRegistry registry;

        Scrape(PrometheusMeterRegistry registry) {
            this.registry = registry;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            response.setContentType("text/plain; version=0.0.4; charset=utf-8");
            response.getWriter().write(registry.scrape());
        }
    }
}
