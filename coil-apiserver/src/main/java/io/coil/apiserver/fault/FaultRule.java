package io.coil.apiserver.fault;

import org.jspecify.annotations.Nullable;

/**
 * A fault that happens to some calls.
 *
 * @param probability of each call in scope, 0 to 1; does not count for what happens to running
 *     watches
 * @param count how often at most; null: no limit
 */
public record FaultRule(
        String id, Scope scope, double probability, @Nullable Integer count, Effect effect) {

    public FaultRule {
        if (probability < 0 || probability > 1) {
            throw new IllegalArgumentException(
                    "probability must be between 0 and 1, not " + probability);
        }
    }

    public static FaultRule of(String id, Scope scope, Effect effect) {
        return new FaultRule(id, scope, 1, null, effect);
    }

    public FaultRule times(int most) {
        return new FaultRule(id, scope, probability, most, effect);
    }

    public FaultRule withProbability(double wanted) {
        return new FaultRule(id, scope, wanted, count, effect);
    }
}
