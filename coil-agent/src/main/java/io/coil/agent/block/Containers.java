package io.coil.agent.block;

import io.coil.core.holdings.Assignment;

import java.util.List;
import java.util.stream.Collectors;

/** How containers and their addresses are named to people. */
public final class Containers {
    private static final int MOST = 5;

    private Containers() {}

    /** {@code 10.1.0.0 (shop/cart-0)}, ...: the pod, or the container where no pod is known. */
    public static String text(List<Assignment> assignments) {
        String named =
                assignments.stream()
                        .limit(MOST)
                        .map(Containers::text)
                        .collect(Collectors.joining(", "));
        int more = assignments.size() - MOST;
        return more > 0 ? named + " and %d more".formatted(more) : named;
    }

    private static String text(Assignment one) {
        return "%s (%s)"
                .formatted(
                        one.addresses().getFirst(),
                        one.pod() == null ? one.key().containerId() : one.pod());
    }
}
