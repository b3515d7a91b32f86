package io.coil.admin.access;

import io.coil.kubernetes.time.Timeline;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Codes for links that sign somebody in, each good for one use. A code stands for a token, so that
 * no token is ever part of an address that browsers and proxies write down.
 */
public final class SignInLinks {
    private static final Duration LIFE = Duration.ofHours(12);
    private static final int MOST = 100;

    private record Link(String token, long nanos) {}

    private final Timeline timeline;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Link> links = new ConcurrentHashMap<>();

    public SignInLinks(Timeline timeline) {
        this.timeline = timeline;
    }

    /** A code for {@code /sign-in?token=}, good once and for twelve hours. */
    public String issue(String token) {
        links.values().removeIf(this::old);
        if (links.size() >= MOST) {
            throw new IllegalStateException("too many sign-in links are open");
        }
        byte[] bytes = new byte[24];
        random.nextBytes(bytes);
        String code = HexFormat.of().formatHex(bytes);
        links.put(code, new Link(token, timeline.nanos()));
        return code;
    }

    /** The token, once; empty if the code is unknown, used or too old. */
    Optional<String> redeem(String code) {
        return Optional.ofNullable(links.remove(code)).filter(l -> !old(l)).map(Link::token);
    }

    private boolean old(Link link) {
        return timeline.nanos() - link.nanos() > LIFE.toNanos();
    }
}
