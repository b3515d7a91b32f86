package io.coil.admin.access;

import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.KubeApi;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ResourceAttributes;
import io.kubernetes.client.openapi.models.V1SubjectAccessReview;
import io.kubernetes.client.openapi.models.V1SubjectAccessReviewSpec;
import io.kubernetes.client.openapi.models.V1TokenReview;
import io.kubernetes.client.openapi.models.V1TokenReviewSpec;
import io.kubernetes.client.openapi.models.V1UserInfo;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Asks the API: whose token is this, and may they do that? Live, no cache. */
final class Reviews {
    private static final Kind<V1TokenReview> TOKENS =
            new Kind<>(
                    "authentication.k8s.io",
                    "v1",
                    "tokenreviews",
                    "TokenReview",
                    false,
                    V1TokenReview.class);
    private static final Kind<V1SubjectAccessReview> ACCESS =
            new Kind<>(
                    "authorization.k8s.io",
                    "v1",
                    "subjectaccessreviews",
                    "SubjectAccessReview",
                    false,
                    V1SubjectAccessReview.class);

    private final KubeApi api;

    Reviews(KubeApi api) {
        this.api = api;
    }

    /** Empty if the API does not know the token. */
    Optional<Caller> whose(String token) {
        V1TokenReview asked =
                new V1TokenReview()
                        .apiVersion(TOKENS.apiVersion())
                        .kind(TOKENS.kind())
                        .metadata(new V1ObjectMeta())
                        .spec(new V1TokenReviewSpec().token(token));
        V1TokenReview answer = api.create(TOKENS, asked);
        if (answer.getStatus() == null
                || !Boolean.TRUE.equals(answer.getStatus().getAuthenticated())) {
            return Optional.empty();
        }
        V1UserInfo user = answer.getStatus().getUser();
        if (user == null || user.getUsername() == null) {
            return Optional.empty();
        }
        return Optional.of(
                new Caller(
                        user.getUsername(),
                        user.getUid() == null ? "" : user.getUid(),
                        orNone(user.getGroups()),
                        user.getExtra() == null ? Map.of() : Map.copyOf(user.getExtra()),
                        token));
    }

    boolean may(Caller caller, Right right) {
        V1SubjectAccessReview asked =
                new V1SubjectAccessReview()
                        .apiVersion(ACCESS.apiVersion())
                        .kind(ACCESS.kind())
                        .metadata(new V1ObjectMeta())
                        .spec(
                                new V1SubjectAccessReviewSpec()
                                        .user(caller.name())
                                        .uid(caller.uid().isEmpty() ? null : caller.uid())
                                        .groups(caller.groups())
                                        .extra(caller.extra())
                                        .resourceAttributes(
                                                new V1ResourceAttributes()
                                                        .verb(right.verb())
                                                        .group(right.group())
                                                        .resource(right.resource())));
        V1SubjectAccessReview answer = api.create(ACCESS, asked);
        return answer.getStatus() != null && Boolean.TRUE.equals(answer.getStatus().getAllowed());
    }

    private static List<String> orNone(@Nullable List<String> list) {
        return list == null ? List.of() : List.copyOf(list);
    }
}
