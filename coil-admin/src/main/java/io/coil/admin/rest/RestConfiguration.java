package io.coil.admin.rest;

import io.coil.admin.AdminSettings;
import io.coil.admin.problem.ProblemPages;

import org.apache.catalina.core.StandardHost;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.converter.HttpMessageConverters;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import java.util.List;

/** What stands around the handlers of REST. */
@Configuration(proxyBeanMethods = false)
class RestConfiguration {

    @Bean
    WebMvcConfigurer lists() {
        return new WebMvcConfigurer() {
            @Override
            public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
                resolvers.add(new PartArguments());
            }

            @Override
            public void configureMessageConverters(HttpMessageConverters.ServerBuilder builder) {
                builder.addCustomConverter(new CsvConverter());
            }
        };
    }

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> unreadable() {
        return server ->
                server.addContextCustomizers(
                        context -> {
                            if (context.getParent() instanceof StandardHost host) {
                                host.setErrorReportValveClass(UnreadableAddress.class.getName());
                            }
                        });
    }

    /** Before the security filter: an overload must not become one of the Kubernetes API. */
    @Bean
    FilterRegistrationBean<OverloadFilter> overload(AdminSettings settings, ProblemPages problems) {
        FilterRegistrationBean<OverloadFilter> filter =
                new FilterRegistrationBean<>(
                        new OverloadFilter(settings.concurrentRequests(), problems));
        filter.addUrlPatterns("/api/v1/*");
        filter.setOrder(-101);
        return filter;
    }
}
