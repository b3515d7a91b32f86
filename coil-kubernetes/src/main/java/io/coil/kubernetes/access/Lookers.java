package io.coil.kubernetes.access;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.time.Timeline;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ResourceAttributes;
import io.kubernetes.client.openapi.models.V1SubjectAccessReview;
import io.kubernetes.client.openapi.models.V1SubjectAccessReviewSpec;
import io.kubernetes.client.openapi.models.V1TokenReview;
import io.kubernetes.client.openapi.models.V1TokenReviewSpec;
import io.kubernetes.client.openapi.models.V1UserInfo;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Whether the owner of a token may see what a program knows: the API must know the token, and let
 * its owner get addressblocks. What it says holds for ten seconds; when it says nothing, nobody
 * may.
 */
public final class Lookers {
    private static final Duration FRESH = Duration.ofSeconds(10);

    /** More tokens than that in ten seconds are guesses; they are asked about, not remembered. */
    private static final int MOST = 1000;

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

    /** What the API says. */
    public enum Verdict {
        MAY_LOOK,
        /** No token, or one that the API does not know. */
        UNKNOWN,
        /** Known, but without the right. */
        MAY_NOT,
        /** The API cannot be asked. */
        NOBODY_TO_ASK
    }

    private record Said(Verdict verdict, long nanos) {}

    private final KubeApi api;
    private final Timeline timeline;
    private final Map<String, Said> known = new ConcurrentHashMap<>();

    public Lookers(KubeApi api, Timeline timeline) {
        this.api = api;
        this.timeline = timeline;
    }

    /** {@code authorization} is the header of that name; null if there is none. */
    public Verdict judge(@Nullable String authorization) {
        String token = token(authorization);
        if (token.isEmpty()) {
            return Verdict.UNKNOWN;
        }
        String hash = hash(token);
        Said said = known.get(hash);
        if (said != null && timeline.nanos() - said.nanos() < FRESH.toNanos()) {
            return said.verdict();
        }
        try {
            Verdict verdict = ask(token);
            known.values().removeIf(old -> timeline.nanos() - old.nanos() >= FRESH.toNanos());
            if (known.size() < MOST) {
                known.put(hash, new Said(verdict, timeline.nanos()));
            }
            return verdict;
        } catch (ApiFailure e) {
            return Verdict.NOBODY_TO_ASK;
        }
    }

    private static String token(@Nullable String authorization) {
        String scheme = "Bearer ";
        return authorization != null
                        && authorization.regionMatches(true, 0, scheme, 0, scheme.length())
                ? authorization.substring(scheme.length()).strip()
                : "";
    }

    private Verdict ask(String token) {
        V1TokenReview review =
                api.create(
                        TOKENS,
                        new V1TokenReview()
                                .apiVersion(TOKENS.apiVersion())
                                .kind(TOKENS.kind())
                                .metadata(new V1ObjectMeta())
                                .spec(new V1TokenReviewSpec().token(token)));
        V1UserInfo user =
                review.getStatus() != null
                                && Boolean.TRUE.equals(review.getStatus().getAuthenticated())
                        ? review.getStatus().getUser()
                        : null;
        if (user == null || user.getUsername() == null) {
            return Verdict.UNKNOWN;
        }
        V1SubjectAccessReview access =
                api.create(
                        ACCESS,
                        new V1SubjectAccessReview()
                                .apiVersion(ACCESS.apiVersion())
                                .kind(ACCESS.kind())
                                .metadata(new V1ObjectMeta())
                                .spec(
                                        new V1SubjectAccessReviewSpec()
                                                .user(user.getUsername())
                                                .uid(user.getUid())
                                                .groups(user.getGroups())
                                                .extra(user.getExtra())
                                                .resourceAttributes(
                                                        new V1ResourceAttributes()
                                                                .verb("get")
                                                                .group(Kinds.BLOCKS.group())
                                                                .resource("addressblocks"))));
        return access.getStatus() != null && Boolean.TRUE.equals(access.getStatus().getAllowed())
                ? Verdict.MAY_LOOK
                : Verdict.MAY_NOT;
    }

    /** Tokens are not kept, so that a dump of the heap does not list them. */
    private static String hash(String token) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha.digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
