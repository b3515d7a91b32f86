package io.coil.admin.history;

import java.time.Instant;

/**
 * An entry of the audit, as it is read.
 *
 * @param id of the entry; younger ones are not always greater
 * @param caller empty: it was only seen to have changed, by somebody through the Kubernetes API
 * @param result {@code done}, {@code refused}, {@code failed} or {@code observed}
 * @param request by which the entry is found in logs; empty if it was only seen
 */
public record Noted(
        long id,
        Instant at,
        String caller,
        String action,
        String kind,
        String name,
        String reason,
        String result,
        String detail,
        String request) {
    /** The result of what was only seen. */
    public static final String OBSERVED = "observed";
}
