package io.coil.admin.access;

import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.time.Timeline;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Who a token belongs to, and what they may. The API is asked; its answers hold for ten seconds.
 * Throws {@link io.coil.kubernetes.api.ApiFailure} if it cannot be asked and has not been lately.
 */
public final class Access {
    private static final Duration FRESH = Duration.ofSeconds(10);
    private static final Duration WHILE_SILENT = Duration.ofMinutes(15);

    private record Question(String tokenHash, Right right) {}

    private final Reviews reviews;
    private final Remembered<String, Optional<Caller>> callers;
    private final Remembered<Question, Boolean> rights;

    public Access(KubeApi api, Timeline timeline) {
        this.reviews = new Reviews(api);
        this.callers = new Remembered<>(timeline, FRESH, WHILE_SILENT);
        this.rights = new Remembered<>(timeline, FRESH, WHILE_SILENT);
    }

    /** Empty if the API does not know the token. */
    public Optional<Caller> caller(String token) {
        return callers.get(hash(token), () -> reviews.whose(token));
    }

    /** Whether the token still is what it was when its owner signed in. */
    boolean stillKnown(Caller caller) {
        return caller(caller.token()).map(c -> c.name().equals(caller.name())).orElse(false);
    }

    public boolean may(Caller caller, Right right) {
        Question question = new Question(hash(caller.token()), right);
        return rights.get(question, () -> reviews.may(caller, right));
    }

    /** Tokens are not kept as keys, so that a dump of the heap does not list them. */
    private static String hash(String token) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha.digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
