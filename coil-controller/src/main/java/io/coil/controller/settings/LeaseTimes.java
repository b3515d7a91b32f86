package io.coil.controller.settings;

import io.coil.core.settings.BadSettingException;
import io.coil.core.settings.Setting;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** Leader election, as Kubernetes' own components do it. */
public record LeaseTimes(Duration duration, Duration renewDeadline, Duration retry) {
    private static final Setting<Duration> DURATION =
            Setting.duration(
                    "coil.controller.lease-duration",
                    "15s",
                    "1s",
                    "10m",
                    "the leader's lease, in whole seconds");
    private static final Setting<Duration> RENEW =
            Setting.duration(
                    "coil.controller.lease-renew-deadline",
                    "10s",
                    "300ms",
                    "10m",
                    "a leader that could not renew for so long steps down");
    private static final Setting<Duration> RETRY =
            Setting.duration(
                    "coil.controller.lease-retry",
                    "2s",
                    "50ms",
                    "10m",
                    "how often the lease is renewed or tried for");

    static final List<Setting<?>> ALL = List.of(DURATION, RENEW, RETRY);

    static LeaseTimes read(Function<String, @Nullable String> values) {
        LeaseTimes times =
                new LeaseTimes(DURATION.from(values), RENEW.from(values), RETRY.from(values));
        if (times.duration().toNanosPart() != 0) {
            throw new BadSettingException(
                    DURATION.name(), times.duration().toMillis() + "ms", "whole seconds");
        }
        requireBelow(RENEW, times.renewDeadline(), DURATION, times.duration());
        requireBelow(RETRY, times.retry(), RENEW, times.renewDeadline());
        return times;
    }

    private static void requireBelow(
            Setting<Duration> low, Duration value, Setting<Duration> high, Duration bound) {
        if (value.compareTo(bound) >= 0) {
            throw new BadSettingException(
                    low.name(),
                    value.toMillis() + "ms",
                    "less than %s, which is %dms".formatted(high.name(), bound.toMillis()));
        }
    }
}
