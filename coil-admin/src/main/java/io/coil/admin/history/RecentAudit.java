package io.coil.admin.history;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last entries, in memory: what there is where no database is kept. */
final class RecentAudit implements AuditLog {
    static final int MOST = 1000;

    // guarded by itself
    private final Deque<AuditEntry> newestFirst = new ArrayDeque<>();

    @Override
    public void record(AuditEntry entry) {
        synchronized (newestFirst) {
            if (newestFirst.size() == MOST) {
                newestFirst.removeLast();
            }
            newestFirst.addFirst(entry);
        }
    }

    List<AuditEntry> newestFirst() {
        synchronized (newestFirst) {
            return List.copyOf(newestFirst);
        }
    }
}
