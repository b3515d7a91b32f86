package io.coil.admin.access;

import static org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher.pathPattern;

import io.coil.admin.history.AuditLog;
import io.coil.admin.problem.ProblemPages;
import io.coil.kubernetes.time.Timeline;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;
import org.springframework.security.web.context.SecurityContextHolderFilter;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.security.web.header.writers.DelegatingRequestMatcherHeaderWriter;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import org.springframework.security.web.header.writers.StaticHeadersWriter;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatchers;

import java.util.EnumSet;
import java.util.function.Supplier;

/**
 * Deny by default. A request that carries an {@code Authorization} header is judged by that alone,
 * has no session and needs no CSRF token; any other is a browser's, with a session and a CSRF token
 * for each change.
 */
@Configuration(proxyBeanMethods = false)
@EnableWebSecurity
class Security {
    private static final String[] OPEN = {
        "/console.css",
        "/console.js",
        "/icon.svg",
        "/sign-in",
        "/livez",
        "/readyz",
        "/actuator/health/**",
        "/actuator/health",
        "/actuator/prometheus"
    };

    private static final String PAGES =
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self';"
                    + " connect-src 'self'; form-action 'self'; base-uri 'none';"
                    + " frame-ancestors 'none'";

    /** The page of the API's description comes from a library that styles its elements itself. */
    private static final String SWAGGER =
            "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self';"
                    + " img-src 'self' data:; font-src 'self'; connect-src 'self';"
                    + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private final Access access;
    private final ProblemPages problems;
    private final Refused refused;

    Security(Access access, ProblemPages problems, AuditLog audit, Timeline timeline) {
        this.refused = new Refused(audit, timeline);
        this.access = access;
        this.problems = problems;
    }

    @Bean
    @Order(1)
    SecurityFilterChain programs(HttpSecurity http) throws Exception {
        http.securityMatcher(request -> request.getHeader("Authorization") != null);
        http.csrf(csrf -> csrf.disable());
        http.sessionManagement(s -> s.sessionCreationPolicy(SessionCreationPolicy.STATELESS));
        http.addFilterBefore(new BearerFilter(access, problems), AuthorizationFilter.class);
        return common(http).build();
    }

    @Bean
    @Order(2)
    SecurityFilterChain browsers(HttpSecurity http, SecurityContextRepository sessions)
            throws Exception {
        http.securityContext(context -> context.securityContextRepository(sessions));
        http.addFilterBefore(new SessionFilter(access), AuthorizationFilter.class);
        http.logout(
                out ->
                        out.logoutRequestMatcher(pathPattern(HttpMethod.POST, "/sign-out"))
                                .logoutSuccessUrl("/sign-in?out"));
        return common(http).build();
    }

    @Bean
    SecurityContextRepository sessions() {
        return new HttpSessionSecurityContextRepository();
    }

    /** Spring Boot's own registration is not used, see the module's pom. */
    @Bean
    FilterRegistrationBean<Filter> securityFilter(
            @Qualifier("springSecurityFilterChain") Filter chain) {
        FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(chain);
        registration.setOrder(-100);
        registration.setDispatcherTypes(
                EnumSet.of(DispatcherType.REQUEST, DispatcherType.ERROR, DispatcherType.ASYNC));
        return registration;
    }

    private HttpSecurity common(HttpSecurity http) throws Exception {
        http.addFilterBefore(new SilenceFilter(problems), SecurityContextHolderFilter.class);
        http.requestCache(cache -> cache.disable());
        http.anonymous(anonymous -> {});
        http.exceptionHandling(
                handling ->
                        handling.authenticationEntryPoint(new Unknown(problems))
                                .accessDeniedHandler(new Denied(problems, refused)));
        http.authorizeHttpRequests(
                requests ->
                        requests.dispatcherTypeMatchers(DispatcherType.ERROR)
                                .permitAll()
                                .requestMatchers(HttpMethod.GET, OPEN)
                                .permitAll()
                                .requestMatchers(HttpMethod.HEAD, OPEN)
                                .permitAll()
                                .requestMatchers(HttpMethod.POST, "/sign-in")
                                .permitAll()
                                .requestMatchers(Security::unnamedChange)
                                .denyAll()
                                .anyRequest()
                                .access(this::may));
        RequestMatcher swagger =
                RequestMatchers.anyOf(pathPattern("/swagger-ui"), pathPattern("/swagger-ui/**"));
        http.headers(
                headers ->
                        headers.addHeaderWriter(
                                        new DelegatingRequestMatcherHeaderWriter(
                                                swagger,
                                                new StaticHeadersWriter(
                                                        "Content-Security-Policy", SWAGGER)))
                                .addHeaderWriter(
                                        new DelegatingRequestMatcherHeaderWriter(
                                                RequestMatchers.not(swagger),
                                                new StaticHeadersWriter(
                                                        "Content-Security-Policy", PAGES)))
                                .addHeaderWriter(
                                        new StaticHeadersWriter(
                                                "Cross-Origin-Opener-Policy", "same-origin"))
                                .referrerPolicy(
                                        policy -> policy.policy(ReferrerPolicy.SAME_ORIGIN)));
        return http;
    }

    /** What runs the program, and is never changed from here. */
    private static boolean unnamedChange(HttpServletRequest request) {
        return request.getRequestURI().startsWith("/actuator") && !Routes.looks(request);
    }

    private AuthorizationDecision may(
            Supplier<? extends Authentication> who, RequestAuthorizationContext context) {
        Right right = Routes.right(context.getRequest());
        return new AuthorizationDecision(
                who.get() instanceof CallerAuthentication known
                        && access.may(known.getPrincipal(), right));
    }
}
