package io.coil.admin.access;

import java.util.List;
import java.util.Map;

/**
 * A person or program that the API knows.
 *
 * @param extra what the API's authentication adds; handed on when rights are asked for
 * @param token bearer token; never shown, logged or stored outside of the session
 */
public record Caller(
        String name,
        String uid,
        List<String> groups,
        Map<String, List<String>> extra,
        String token) {

    @Override
    public String toString() {
        return name;
    }
}
