package io.coil.agent.hold;

import io.coil.core.holdings.NodeHoldings;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The node's holdings behind their one lock. What runs under it decides and records; it never does
 * I/O and never waits.
 */
public final class SharedHoldings {
    private final ReentrantLock lock = new ReentrantLock();
    private final NodeHoldings holdings; // guarded by lock

    public SharedHoldings(NodeHoldings holdings) {
        this.holdings = holdings;
    }

    public <R extends @Nullable Object> R with(Function<NodeHoldings, R> action) {
        lock.lock();
        try {
            return action.apply(holdings);
        } finally {
            lock.unlock();
        }
    }

    public void change(Consumer<NodeHoldings> action) {
        lock.lock();
        try {
            action.accept(holdings);
        } finally {
            lock.unlock();
        }
    }
}
