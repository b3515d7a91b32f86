package io.coil.apiserver.fault;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** What goes wrong with a call. */
public sealed interface Effect {
    /** The call begins later. */
    record Latency(Duration by) implements Effect {}

    /** The call is answered with a failure and does nothing. */
    record Refusal(int code, String reason, String message, @Nullable Integer retryAfterSeconds)
            implements Effect {}

    /** The call takes effect, but the connection ends before its answer. */
    record LostReply() implements Effect {}

    /** The connection ends before the call has any effect. */
    record LostRequest() implements Effect {}

    /** Nothing of the client's comes through: calls are lost and running watches end. */
    record Partition() implements Effect {}

    /** Running and new watches deliver nothing, bookmarks neither, while the rule is there. */
    record WatchStall() implements Effect {}

    /** Events come later than they happened. */
    record WatchLag(Duration by) implements Effect {}

    /** A watch ends as if its time had run out. */
    record WatchEnd() implements Effect {}

    /** Lists show what was there that many versions ago. */
    record StaleList(long versions) implements Effect {}

    /** Lists show what was there that long ago. */
    record StaleListBySpan(Duration span) implements Effect {}

    /** Lists show what was there at that version. */
    record StaleListAsOf(long version) implements Effect {}

    static Effect latency(Duration by) {
        return new Latency(by);
    }

    static Effect conflict() {
        return new Refusal(
                409,
                "Conflict",
                "Operation cannot be fulfilled: the object has been modified; please apply your"
                        + " changes to the latest version and try again",
                null);
    }

    static Effect expired() {
        return new Refusal(
                410, "Expired", "The resourceVersion for the provided watch is too old.", null);
    }

    static Effect tooManyRequests(int retryAfterSeconds) {
        return new Refusal(
                429,
                "TooManyRequests",
                "Too many requests, please try again later.",
                retryAfterSeconds);
    }

    static Effect internalError() {
        return new Refusal(500, "InternalError", "Internal error occurred: injected fault", null);
    }

    static Effect unavailable() {
        return new Refusal(
                503,
                "ServiceUnavailable",
                "the server is currently unable to handle the request",
                null);
    }
}
