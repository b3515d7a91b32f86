package io.coil.sandbox.cluster;

import java.time.Duration;

/**
 * How patient a kubelet is.
 *
 * @param retry after a first failed ADD or DEL; doubled up to {@code retryMost}
 * @param check how often it looks whether what should run still runs
 * @param heartbeat how often it renews its node's lease
 */
public record KubeletSettings(
        Duration retry, Duration retryMost, Duration check, Duration heartbeat) {
    public static final KubeletSettings DEFAULTS =
            new KubeletSettings(
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(4),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(10));

    public KubeletSettings withRetry(Duration first, Duration most) {
        return new KubeletSettings(first, most, check, heartbeat);
    }
}
