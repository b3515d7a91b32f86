package io.coil.admin.act;

import io.coil.admin.access.Caller;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.random.RandomGenerator;

/** Marks of orders: the same caller and key make the same mark, on every replica. */
final class Keys {
    /** No vowels, so that no words come of it; no characters that look alike. */
    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

    private static final int RANDOM = 7;
    private static final int DIGEST = 12;

    private Keys() {}

    static String random(RandomGenerator random) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < RANDOM; i++) {
            text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return text.toString();
    }

    static String digest(Caller caller, String key) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest((caller.name() + "\0" + key).getBytes(StandardCharsets.UTF_8));
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < DIGEST; i++) {
                text.append(LETTERS.charAt((hash[i] & 0xff) % LETTERS.length()));
            }
            return text.toString();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
