package io.coil.admin.rest;

import io.coil.admin.act.Done;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;

import java.net.URI;
import java.util.List;
import java.util.Locale;

/**
 * What came of a change.
 *
 * @param result {@code done}; {@code already}: it was so before; {@code going}: asked for, and not
 *     over yet; {@code gone}: what it is about is not there any more
 * @param message the same in a sentence
 * @param collection name of the collection that does it; null: none is needed
 * @param href where to see how it goes; null: there is nothing (any more) to see
 * @param warnings what the Kubernetes API said besides, word for word
 */
record Outcome(
        String result,
        String message,
        @Nullable String collection,
        @Nullable String href,
        List<String> warnings) {

    /** 202 if it goes on, then with its Location; 200 else. */
    static ResponseEntity<Outcome> of(Done done, String thing) {
        String href =
                done.collection() != null
                        ? "/api/v1/collections/" + done.collection()
                        : done.state() == Done.State.GONE ? null : thing;
        Outcome body = body(done, href);
        return done.state() == Done.State.GOING && href != null
                ? ResponseEntity.status(HttpStatus.ACCEPTED).location(URI.create(href)).body(body)
                : ResponseEntity.ok(body);
    }

    /** 201 if it was made, 200 if the same order has made it before. */
    static ResponseEntity<Outcome> created(Done done, String thing) {
        HttpStatus status = done.state() == Done.State.DONE ? HttpStatus.CREATED : HttpStatus.OK;
        return ResponseEntity.status(status).location(URI.create(thing)).body(body(done, thing));
    }

    private static Outcome body(Done done, @Nullable String href) {
        return new Outcome(
                done.state().name().toLowerCase(Locale.ROOT),
                done.message(),
                done.collection(),
                href,
                done.warnings());
    }
}
