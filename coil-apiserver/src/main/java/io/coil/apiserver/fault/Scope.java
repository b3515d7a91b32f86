package io.coil.apiserver.fault;

import org.jspecify.annotations.Nullable;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which calls a fault is for; null or empty: any.
 *
 * @param user exact name
 * @param userAgent part of the User-Agent header
 * @param verbs get, list, watch, create, update, patch, delete, deletecollection
 * @param resource plural, or {@code plural/subresource}; the plural alone covers its subresources
 * @param name of the object, with {@code *} for any text
 */
public record Scope(
        @Nullable String user,
        @Nullable String userAgent,
        Set<String> verbs,
        @Nullable String resource,
        @Nullable String namespace,
        @Nullable String name) {

    /** What is known of a call when it arrives. */
    public record Call(
            String user,
            String userAgent,
            String verb,
            String resource,
            @Nullable String subresource,
            @Nullable String namespace,
            @Nullable String name) {}

    private static final Scope ANY = new Scope(null, null, Set.of(), null, null, null);

    public Scope {
        verbs = Set.copyOf(verbs);
    }

    public static Scope any() {
        return ANY;
    }

    public Scope ofUser(String wanted) {
        return new Scope(wanted, userAgent, verbs, resource, namespace, name);
    }

    public Scope ofUserAgent(String part) {
        return new Scope(user, part, verbs, resource, namespace, name);
    }

    public Scope onVerbs(String... wanted) {
        return new Scope(user, userAgent, Set.of(wanted), resource, namespace, name);
    }

    public Scope onResource(String wanted) {
        return new Scope(user, userAgent, verbs, wanted, namespace, name);
    }

    public Scope inNamespace(String wanted) {
        return new Scope(user, userAgent, verbs, resource, wanted, name);
    }

    public Scope named(String pattern) {
        return new Scope(user, userAgent, verbs, resource, namespace, pattern);
    }

    boolean covers(Call call) {
        return (user == null || user.equals(call.user()))
                && (userAgent == null || call.userAgent().contains(userAgent))
                && (verbs.isEmpty() || verbs.contains(call.verb()))
                && (resource == null || coversResource(resource, call))
                && (namespace == null || namespace.equals(call.namespace()))
                && (name == null || (call.name() != null && matches(name, call.name())));
    }

    private static boolean coversResource(String wanted, Call call) {
        return wanted.equals(call.resource())
                || wanted.equals(call.resource() + "/" + call.subresource());
    }

    private static boolean matches(String pattern, String name) {
        String[] literal = pattern.split("\\*", -1);
        StringBuilder regex = new StringBuilder(Pattern.quote(literal[0]));
        for (int i = 1; i < literal.length; i++) {
            regex.append(".*").append(Pattern.quote(literal[i]));
        }
        return Pattern.matches(regex.toString(), name);
    }
}
