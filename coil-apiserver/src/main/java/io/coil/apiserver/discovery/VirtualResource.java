package io.coil.apiserver.discovery;

import java.util.List;
import java.util.Optional;

/** Resources that answer what is posted to them and store nothing. */
public record VirtualResource(
        String group, String version, String plural, String kind, boolean namespaced) {

    static final List<VirtualResource> ALL =
            List.of(
                    authentication("tokenreviews", "TokenReview"),
                    authentication("selfsubjectreviews", "SelfSubjectReview"),
                    authorization("subjectaccessreviews", "SubjectAccessReview", false),
                    authorization("localsubjectaccessreviews", "LocalSubjectAccessReview", true),
                    authorization("selfsubjectaccessreviews", "SelfSubjectAccessReview", false),
                    authorization("selfsubjectrulesreviews", "SelfSubjectRulesReview", false));

    private static VirtualResource authentication(String plural, String kind) {
        return new VirtualResource("authentication.k8s.io", "v1", plural, kind, false);
    }

    private static VirtualResource authorization(String plural, String kind, boolean namespaced) {
        return new VirtualResource("authorization.k8s.io", "v1", plural, kind, namespaced);
    }

    public static Optional<VirtualResource> find(String group, String version, String plural) {
        return ALL.stream()
                .filter(
                        resource ->
                                resource.group().equals(group)
                                        && resource.version().equals(version)
                                        && resource.plural().equals(plural))
                .findFirst();
    }
}
