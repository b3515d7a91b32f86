package io.coil.admin.history;

import java.time.Instant;

/** Entries of an audit. */
final class Entries {
    static final Instant AT = Instant.parse("2026-12-01T10:00:00Z");

    private Entries() {}

    static AuditEntry returned(String block) {
        return entry(AT, "ann", "return", "block", block, AuditEntry.Result.DONE);
    }

    static AuditEntry entry(
            Instant at,
            String caller,
            String action,
            String kind,
            String name,
            AuditEntry.Result result) {
        return new AuditEntry(at, caller, action, kind, name, "it leaks", result, "");
    }
}
