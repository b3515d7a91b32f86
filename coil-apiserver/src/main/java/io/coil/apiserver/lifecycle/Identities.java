package io.coil.apiserver.lifecycle;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** What the server makes up: times, UIDs and name suffixes, all from sources given to it. */
final class Identities {
    /** Without vowels, so that no suffix is a word. */
    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

    private final InstantSource clock;
    private final RandomGenerator random;

    Identities(InstantSource clock, RandomGenerator random) {
        this.clock = clock;
        this.random = random;
    }

    Instant now() {
        return clock.instant();
    }

    /** In whole seconds, as object metadata has it. */
    static String text(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    String timestamp() {
        return text(now());
    }

    String uid() {
        long high;
        long low;
        synchronized (random) {
            high = random.nextLong();
            low = random.nextLong();
        }
        return new UUID(
                        (high & 0xffffffffffff0fffL) | 0x4000L,
                        (low & 0x3fffffffffffffffL) | 0x8000000000000000L)
                .toString();
    }

    String suffix() {
        StringBuilder suffix = new StringBuilder(5);
        synchronized (random) {
            for (int i = 0; i < 5; i++) {
                suffix.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
            }
        }
        return suffix.toString();
    }
}
