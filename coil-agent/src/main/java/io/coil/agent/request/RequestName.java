package io.coil.agent.request;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The name of the one request of a node for a pool.
 *
 * <p>Coil v2 joins the two names with a dash, which two pairs can share ({@code a-b} + {@code c},
 * {@code a} + {@code b-c}); ours ends in a digest over both, apart.
 */
final class RequestName {
    private static final int LONGEST = 253;
    private static final int DIGEST_BYTES = 8;

    private RequestName() {}

    static String of(String pool, String node) {
        String digest = digest(pool + "/" + node); // a slash is in neither name
        String readable = "req-" + pool + "-" + node;
        int room = LONGEST - digest.length() - 1;
        String cut = readable.length() > room ? readable.substring(0, room) : readable;
        return cut + "-" + digest;
    }

    private static String digest(String text) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
