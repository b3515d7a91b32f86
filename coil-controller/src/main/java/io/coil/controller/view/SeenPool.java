package io.coil.controller.view;

import io.coil.core.pool.PoolReading;
import io.coil.core.pool.PoolSpec;
import io.coil.core.pool.PoolSwitches;
import io.coil.core.pool.PoolText;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/**
 * A pool.
 *
 * @param bad annotations that are ignored because their values cannot be used
 * @param guarded whether it has our finalizer
 * @param status as it was written last
 */
public record SeenPool(
        String name,
        String uid,
        String version,
        long generation,
        PoolText text,
        PoolReading reading,
        PoolSwitches switches,
        List<PoolSwitches.BadValue> bad,
        boolean guarded,
        boolean beingDeleted,
        AddressPool.@Nullable Status status) {

    public static SeenPool of(AddressPool pool) {
        String name = Meta.name(pool.metadata());
        PoolText text = text(pool);
        PoolSwitches.Parsed parsed = PoolSwitches.parse(text.annotations());
        Long generation = pool.metadata().getGeneration();
        return new SeenPool(
                name,
                Meta.uid(pool.metadata()),
                Meta.version(pool.metadata()),
                generation == null ? 0 : generation,
                text,
                text.read(),
                parsed.switches(),
                parsed.bad(),
                Meta.finalizers(pool.metadata()).contains(Names.FINALIZER),
                Meta.beingDeleted(pool.metadata()),
                pool.status());
    }

    /** The pool as the rules of admission read it. Works without UID and version. */
    public static PoolText text(AddressPool pool) {
        AddressPool.Spec spec = pool.spec();
        List<PoolText.SubnetText> subnets =
                spec == null
                        ? List.of()
                        : spec.entries().stream()
                                .map(s -> new PoolText.SubnetText(s.ipv4(), s.ipv6()))
                                .toList();
        Map<String, String> annotations = Meta.annotations(pool.metadata());
        return new PoolText(
                Meta.name(pool.metadata()),
                spec == null ? null : spec.blockSizeBits(),
                subnets,
                annotations);
    }

    /** What it is cut from; null if its texts cannot be read. */
    public @Nullable PoolSpec spec() {
        return reading instanceof PoolReading.Understood(PoolSpec spec) ? spec : null;
    }
}
