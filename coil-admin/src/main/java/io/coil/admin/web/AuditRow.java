package io.coil.admin.web;

import io.coil.admin.history.Noted;
import io.coil.admin.snapshot.Snapshot;
import io.coil.admin.snapshot.Tone;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * An entry of the audit.
 *
 * @param href of what it is about; null: there is no page of it
 * @param detail what came of it; empty: nothing to add
 */
public record AuditRow(
        Stamp at,
        String who,
        String what,
        String on,
        @Nullable String href,
        String reason,
        Tag result,
        String detail,
        String request) {
    static final String SOMEBODY = "somebody, through the Kubernetes API";

    static AuditRow of(Noted entry, Snapshot image, Instant now) {
        return new AuditRow(
                Stamp.of(entry.at(), now),
                entry.caller().isEmpty() ? SOMEBODY : entry.caller(),
                entry.action() + (entry.kind().equals("collection") ? "" : " " + entry.kind()),
                entry.name(),
                href(entry, image),
                entry.reason(),
                Tag.of(entry.result(), tone(entry.result())),
                entry.detail(),
                entry.request());
    }

    private static Tone tone(String result) {
        return switch (result) {
            case "done" -> Tone.OK;
            case Noted.OBSERVED -> Tone.QUIET;
            default -> Tone.BAD;
        };
    }

    private static @Nullable String href(Noted entry, Snapshot image) {
        String name = entry.name();
        return switch (entry.kind()) {
            case "pool" -> image.pools().containsKey(name) ? "/pools/" + name : null;
            case "node" -> image.nodes().containsKey(name) ? "/nodes/" + name : null;
            case "block" -> "/blocks/" + name;
            case "collection" -> image.runs().containsKey(name) ? "/collections/" + name : null;
            case "address" -> "/search?q=" + name;
            default -> null;
        };
    }
}
