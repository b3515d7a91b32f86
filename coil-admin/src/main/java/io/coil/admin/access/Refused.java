package io.coil.admin.access;

import io.coil.admin.history.AuditEntry;
import io.coil.admin.history.AuditLog;
import io.coil.kubernetes.time.Timeline;

import jakarta.servlet.http.HttpServletRequest;

import java.util.List;

/** Notes that somebody has asked for a change that they may not make. */
final class Refused {
    private static final String REST = "/api/v1/";

    /** No object has a longer name; what is longer is somebody's try. */
    private static final int LONGEST_NAME = 253;

    private final AuditLog audit;
    private final Timeline timeline;

    Refused(AuditLog audit, Timeline timeline) {
        this.audit = audit;
        this.timeline = timeline;
    }

    /** What it was about is told from its path: {@code pools/NAME/drain}. */
    void note(HttpServletRequest request, String caller, Right missing) {
        String path = request.getRequestURI();
        List<String> parts =
                List.of(path.substring(path.startsWith(REST) ? REST.length() : 1).split("/", -1));
        String kind = parts.getFirst();
        String name = parts.size() > 1 ? parts.get(1) : "";
        String whole = request.getMethod().equals("DELETE") ? "delete" : "create";
        audit.record(
                new AuditEntry(
                        timeline.now(),
                        caller,
                        parts.size() > 2 ? parts.get(2) : whole,
                        kind.endsWith("s") ? kind.substring(0, kind.length() - 1) : kind,
                        name.substring(0, Math.min(LONGEST_NAME, name.length())),
                        "",
                        AuditEntry.Result.REFUSED,
                        "lacks the right to " + missing));
    }
}
