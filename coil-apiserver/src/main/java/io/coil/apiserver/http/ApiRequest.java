package io.coil.apiserver.http;

import io.coil.apiserver.auth.Identity;

import org.jspecify.annotations.Nullable;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A request, whatever brought it: a socket, or a direct call in the same JVM.
 *
 * @param path decoded path without the query
 * @param query decoded parameters
 * @param headers names in lower case
 * @param body text; bytes of a content type that is no text are mapped one to one (ISO 8859-1)
 */
public record ApiRequest(
        String method,
        String path,
        Map<String, List<String>> query,
        Map<String, String> headers,
        String body,
        Identity identity) {

    public ApiRequest {
        Map<String, String> lower = new TreeMap<>();
        headers.forEach((name, value) -> lower.put(name.toLowerCase(Locale.ROOT), value));
        headers = Map.copyOf(lower);
    }

    /** A request made of a URI's path and query, as a client writes them. */
    public static ApiRequest of(
            String method,
            String pathAndQuery,
            Map<String, String> headers,
            String body,
            Identity identity) {
        int mark = pathAndQuery.indexOf('?');
        String path = mark < 0 ? pathAndQuery : pathAndQuery.substring(0, mark);
        String query = mark < 0 ? "" : pathAndQuery.substring(mark + 1);
        return new ApiRequest(method, decodePath(path), parseQuery(query), headers, body, identity);
    }

    public static Map<String, List<String>> parseQuery(@Nullable String raw) {
        Map<String, List<String>> query = new LinkedHashMap<>();
        if (raw == null || raw.isEmpty()) {
            return query;
        }
        for (String pair : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            String value = equals < 0 ? "" : pair.substring(equals + 1);
            if (!name.isEmpty()) {
                query.computeIfAbsent(decode(name), n -> new ArrayList<>()).add(decode(value));
            }
        }
        return query;
    }

    private static String decodePath(String path) {
        return path.contains("%") ? decode(path.replace("+", "%2B")) : path;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /** The first value of a parameter, null if it is absent or empty. */
    public @Nullable String parameter(String name) {
        List<String> values = query.get(name);
        return values == null || values.isEmpty() || values.getFirst().isEmpty()
                ? null
                : values.getFirst();
    }

    /** Whether a boolean parameter is set, as Kubernetes reads it ({@code true}, {@code 1}). */
    public boolean flag(String name) {
        String value = parameter(name);
        return value != null && (value.equals("true") || value.equals("1"));
    }

    public String header(String name) {
        return headers.getOrDefault(name, "");
    }

    public String userAgent() {
        return header("user-agent");
    }

    /** The media type of the body without its parameters, in lower case; empty if not given. */
    public String contentType() {
        String value = header("content-type");
        int semicolon = value.indexOf(';');
        return (semicolon < 0 ? value : value.substring(0, semicolon))
                .trim()
                .toLowerCase(Locale.ROOT);
    }
}
