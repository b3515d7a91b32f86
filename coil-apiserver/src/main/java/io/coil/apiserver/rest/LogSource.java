package io.coil.apiserver.rest;

import io.coil.apiserver.http.ApiStream;

import org.jspecify.annotations.Nullable;

/** Where the logs of containers come from. */
@FunctionalInterface
public interface LogSource {

    /**
     * @param tailLines at most that many of the last lines; null: all
     * @param sinceSeconds not older than that; null: all
     * @param follow go on with what comes until the container ends
     */
    record LogQuery(
            String namespace,
            String pod,
            String container,
            @Nullable Integer tailLines,
            @Nullable Integer sinceSeconds,
            boolean follow,
            boolean timestamps,
            boolean previous) {}

    /** Lines, each with its line end; the stream ends when there is nothing more to come. */
    ApiStream open(LogQuery query);

    /** For a server without containers: empty logs. */
    static LogSource none() {
        return query -> ApiStream.of("");
    }
}
