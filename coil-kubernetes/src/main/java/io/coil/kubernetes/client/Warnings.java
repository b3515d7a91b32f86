package io.coil.kubernetes.client;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What an answer warns of (RFC 7234, 5.5): Kubernetes sends {@code 299 - "sentence"}, one header or
 * several.
 */
final class Warnings {
    private static final Pattern WARNING =
            Pattern.compile("\\d{3} \\S+ \"((?:[^\"\\\\]|\\\\.)*)\"");

    private Warnings() {}

    static List<String> in(String header) {
        return WARNING.matcher(header)
                .results()
                .map(found -> found.group(1).replaceAll("\\\\(.)", "$1"))
                .toList();
    }
}
