package io.coil.admin.access;

import static org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher.pathPattern;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.http.HttpMethod;
import org.springframework.security.web.util.matcher.RequestMatcher;

import java.util.List;
import java.util.stream.Stream;

/**
 * Which right each route asks for. A route that changes something and is not named here is refused
 * to everybody who may change nothing; a test holds that every route that there is is named.
 */
final class Routes {
    private static final List<Route> ALL =
            List.of(
                    post(Right.COLLECT, "/collections", "/api/v1/collections"),
                    post(Right.COLLECT, "/blocks/{name}/return", "/api/v1/blocks/{name}/return"),
                    post(
                            Right.RELEASE_BLOCKS,
                            "/blocks/{name}/release",
                            "/api/v1/blocks/{name}/release"),
                    post(
                            Right.CHANGE_BLOCKS,
                            "/blocks/{name}/drain",
                            "/api/v1/blocks/{name}/drain"),
                    of(HttpMethod.GET, Right.CREATE_POOLS, "/new-pool"),
                    of(HttpMethod.HEAD, Right.CREATE_POOLS, "/new-pool"),
                    post(Right.CREATE_POOLS, "/pools", "/api/v1/pools"),
                    of(HttpMethod.GET, Right.CHANGE_POOLS, "/pools/{name}/grow"),
                    of(HttpMethod.HEAD, Right.CHANGE_POOLS, "/pools/{name}/grow"),
                    post(
                            Right.CHANGE_POOLS,
                            "/pools/{name}/grow",
                            "/pools/{name}/drain",
                            "/pools/{name}/collection-mode",
                            "/api/v1/pools/{name}/subnets",
                            "/api/v1/pools/{name}/drain",
                            "/api/v1/pools/{name}/collection-mode"),
                    post(Right.DELETE_POOLS, "/pools/{name}/delete"),
                    of(HttpMethod.DELETE, Right.DELETE_POOLS, "/api/v1/pools/{name}"),
                    post(
                            Right.CHANGE_NODES,
                            "/nodes/{name}/collection-mode",
                            "/api/v1/nodes/{name}/collection-mode"));

    private Routes() {}

    private record Route(Right right, List<RequestMatcher> matchers) {}

    private static Route post(Right right, String... patterns) {
        return of(HttpMethod.POST, right, patterns);
    }

    private static Route of(HttpMethod method, Right right, String... patterns) {
        return new Route(
                right,
                Stream.of(patterns).map(p -> (RequestMatcher) pathPattern(method, p)).toList());
    }

    /** Looking asks for {@link Right#READ}, unless it is named; any change that is not: collect. */
    static Right right(HttpServletRequest request) {
        for (Route route : ALL) {
            if (route.matchers().stream().anyMatch(m -> m.matches(request))) {
                return route.right();
            }
        }
        return looks(request) ? Right.READ : Right.COLLECT;
    }

    /** Whether it is a change that there is. */
    static boolean change(HttpServletRequest request) {
        return !looks(request)
                && ALL.stream()
                        .anyMatch(r -> r.matchers().stream().anyMatch(m -> m.matches(request)));
    }

    static boolean looks(HttpServletRequest request) {
        return request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
    }
}
