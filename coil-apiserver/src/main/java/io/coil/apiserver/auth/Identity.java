package io.coil.apiserver.auth;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Who asks: a user's name and the groups that he is in. */
public record Identity(String name, List<String> groups) {
    public static final String AUTHENTICATED = "system:authenticated";
    public static final String MASTERS = "system:masters";

    /** A caller without a valid token. */
    public static final Identity ANONYMOUS =
            new Identity("system:anonymous", List.of("system:unauthenticated"));

    static final String SERVICE_ACCOUNT = "system:serviceaccount:";

    public Identity {
        groups = List.copyOf(groups);
    }

    /**
     * An authenticated user. A service account ({@code system:serviceaccount:<namespace>:<name>})
     * is in the groups of all service accounts too.
     */
    public static Identity of(String name, List<String> groups) {
        Set<String> all = new LinkedHashSet<>(groups);
        if (name.startsWith(SERVICE_ACCOUNT)) {
            String rest = name.substring(SERVICE_ACCOUNT.length());
            all.add("system:serviceaccounts");
            all.add("system:serviceaccounts:" + rest.substring(0, Math.max(0, rest.indexOf(':'))));
        }
        all.add(AUTHENTICATED);
        return new Identity(name, List.copyOf(all));
    }

    public static Identity administrator() {
        return of("admin", List.of(MASTERS));
    }

    public static Identity viewer() {
        return of("viewer", List.of());
    }

    public boolean anonymous() {
        return !groups.contains(AUTHENTICATED);
    }
}
