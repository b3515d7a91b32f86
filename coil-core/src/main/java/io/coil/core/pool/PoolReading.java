package io.coil.core.pool;

import java.util.ArrayList;
import java.util.List;

/** A pool's texts, understood or not. Pools that new rules would refuse are served as they are. */
public sealed interface PoolReading {

    record Understood(PoolSpec spec) implements PoolReading {}

    /** No block can be granted from it; the reasons are sentences. */
    record NotUnderstood(List<Violation> violations) implements PoolReading {}

    static PoolReading of(PoolText text) {
        List<Violation> violations = new ArrayList<>();
        List<Subnet> subnets = new ArrayList<>();
        if (text.effectiveBlockSizeBits() < 0) {
            violations.add(PoolRules.negativeBits(text.effectiveBlockSizeBits()));
        }
        for (int i = 0; i < text.subnets().size(); i++) {
            SubnetReading.of(i, text.subnets().get(i), violations).ifPresent(subnets::add);
        }
        return violations.isEmpty()
                ? new Understood(new PoolSpec(text.name(), text.effectiveBlockSizeBits(), subnets))
                : new NotUnderstood(List.copyOf(violations));
    }
}
