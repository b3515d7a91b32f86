package io.coil.apiserver.http;

import java.time.Duration;

/** Parts of an answer that come one by one. One receiver at a time. */
public interface ApiStream extends AutoCloseable {

    /** What {@link #next} found. */
    sealed interface Part {}

    /** Text to be sent at once. */
    record Text(String text) implements Part {}

    /** Nothing came in the time given. */
    record Quiet() implements Part {}

    /** Nothing will come any more. */
    record End() implements Part {}

    /** Waits at most {@code max} for the next part; zero asks without waiting. */
    Part next(Duration max) throws InterruptedException;

    @Override
    void close();

    /** A stream of one part that ends at once. */
    static ApiStream of(String text) {
        return new ApiStream() {
            private boolean read = text.isEmpty();

            @Override
            public Part next(Duration max) {
                if (read) {
                    return new End();
                }
                read = true;
                return new Text(text);
            }

            @Override
            public void close() {}
        };
    }
}
