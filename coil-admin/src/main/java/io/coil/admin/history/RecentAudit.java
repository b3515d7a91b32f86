package io.coil.admin.history;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last entries, in memory: what there is while no database is there. */
final class RecentAudit {
    static final int MOST = 1000;

    // guarded by this
    private final Deque<Noted> newestFirst = new ArrayDeque<>();
    private long number;

    synchronized void add(AuditEntry entry, String request) {
        if (newestFirst.size() == MOST) {
            newestFirst.removeLast();
        }
        newestFirst.addFirst(
                new Noted(
                        ++number,
                        entry.at(),
                        entry.caller(),
                        entry.action(),
                        entry.kind(),
                        entry.name(),
                        entry.reason(),
                        entry.result().label(),
                        entry.detail(),
                        request));
    }

    synchronized List<Noted> find(AuditQuery query) {
        return newestFirst.stream().filter(query::matches).toList();
    }
}
