package io.coil.controller.admission;

import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.KubeApi;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ResourceAttributes;
import io.kubernetes.client.openapi.models.V1SubjectAccessReview;
import io.kubernetes.client.openapi.models.V1SubjectAccessReviewSpec;

/**
 * Whether somebody has the verb {@code release} on addressblocks: it is the API server's RBAC that
 * says so, asked for each who calls.
 */
final class ReleaseRight {
    private static final Kind<V1SubjectAccessReview> REVIEWS =
            new Kind<>(
                    "authorization.k8s.io",
                    "v1",
                    "subjectaccessreviews",
                    "SubjectAccessReview",
                    false,
                    V1SubjectAccessReview.class);

    private final KubeApi api;

    ReleaseRight(KubeApi api) {
        this.api = api;
    }

    boolean has(AdmissionReview.UserInfo user, String block) {
        V1SubjectAccessReview answer =
                api.create(
                        REVIEWS,
                        new V1SubjectAccessReview()
                                .apiVersion(REVIEWS.apiVersion())
                                .kind(REVIEWS.kind())
                                .metadata(new V1ObjectMeta())
                                .spec(
                                        new V1SubjectAccessReviewSpec()
                                                .user(user.username())
                                                .uid(user.uid())
                                                .groups(user.groups())
                                                .extra(user.extra())
                                                .resourceAttributes(
                                                        new V1ResourceAttributes()
                                                                .verb("release")
                                                                .group("coil.cybozu.com")
                                                                .version("v2")
                                                                .resource("addressblocks")
                                                                .name(block))));
        return answer.getStatus() != null && Boolean.TRUE.equals(answer.getStatus().getAllowed());
    }
}
