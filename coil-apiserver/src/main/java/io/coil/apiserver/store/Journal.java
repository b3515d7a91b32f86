package io.coil.apiserver.store;

/**
 * Where writes are kept beyond the life of the process. {@link #append} is called in the order of
 * the versions and under the store's lock, before anybody can see the write: if it throws, the
 * write did not happen.
 */
public interface Journal {
    /** Keeps nothing. */
    Journal NONE =
            new Journal() {
                @Override
                public void append(Change change) {}

                @Override
                public void settle(long version) {}
            };

    void append(Change change);

    /**
     * Called after the lock was released and before the writer is answered: may wait until
     * everything up to that version is as durable as was promised.
     */
    void settle(long version);
}
