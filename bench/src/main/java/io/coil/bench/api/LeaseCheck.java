package io.coil.bench.api;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.Names;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Whether a controller leads already. Two of them would share the work, and the figures would say
 * nothing of either.
 */
public final class LeaseCheck {
    private static final Duration UNTOLD = Duration.ofSeconds(15);

    private final KubeApi api;
    private final boolean wasThere;

    private LeaseCheck(KubeApi api, boolean wasThere) {
        this.api = api;
        this.wasThere = wasThere;
    }

    /** Looks now, before anything is made. */
    public static LeaseCheck before(KubeApi api) {
        return new LeaseCheck(api, lease(api).isPresent());
    }

    /** Who holds the lease of the controllers at present. */
    public Optional<String> holder() {
        return lease(api).map(V1Lease::getSpec).flatMap(spec -> holder(spec, Instant.now()));
    }

    static Optional<String> holder(V1LeaseSpec spec, Instant now) {
        String holder = spec.getHolderIdentity();
        if (holder == null || holder.isEmpty() || spec.getRenewTime() == null) {
            return Optional.empty();
        }
        Integer seconds = spec.getLeaseDurationSeconds();
        Duration length = seconds == null ? UNTOLD : Duration.ofSeconds(seconds);
        boolean over = spec.getRenewTime().toInstant().plus(length).isBefore(now);
        return over ? Optional.empty() : Optional.of(holder);
    }

    /** What to say when there is a holder. */
    public static String refusal(String holder) {
        return "A controller leads in that cluster already (%s): scale it to 0 meanwhile."
                .formatted(holder);
    }

    /** Takes the lease away if it was not there before; it must have been given back. */
    public void leaveAsFound() {
        if (!wasThere && lease(api).isPresent()) {
            api.delete(Kinds.LEASES, Names.LEASE_NAMESPACE, Names.LEASE, Preconditions.NONE);
        }
    }

    private static Optional<V1Lease> lease(KubeApi api) {
        return api.get(Kinds.LEASES, Names.LEASE_NAMESPACE, Names.LEASE);
    }
}
