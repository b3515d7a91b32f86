package io.coil.agent.journal;

import io.coil.core.holdings.Assignment;
import io.coil.core.holdings.ContainerKey;
import io.coil.core.holdings.PodRef;
import io.coil.core.net.Address;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/**
 * An address was given to an interface of a container, or freed.
 *
 * @param at by the wall clock, which may have jumped since
 * @param given else freed
 * @param pod null if it is not known
 */
public record Entry(
        Instant at,
        boolean given,
        ContainerKey key,
        @Nullable PodRef pod,
        String pool,
        List<Address> addresses) {

    static Entry given(Instant at, Assignment what) {
        return of(at, true, what);
    }

    static Entry freed(Instant at, Assignment what) {
        return of(at, false, what);
    }

    private static Entry of(Instant at, boolean given, Assignment what) {
        return new Entry(at, given, what.key(), what.pod(), what.pool(), what.addresses());
    }
}
