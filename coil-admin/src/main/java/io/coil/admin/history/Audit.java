package io.coil.admin.history;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

import java.util.UUID;

/**
 * Notes in the log, in memory, and, as soon as it is there, in the database. The log has it also if
 * this program is killed while the database is away.
 */
final class Audit implements AuditLog {
    private static final Logger LOG = LoggerFactory.getLogger(Audit.class);

    private final RecentAudit recent;
    private final Pending pending;
    private final Runnable wake;

    Audit(RecentAudit recent, Pending pending, Runnable wake) {
        this.recent = recent;
        this.pending = pending;
        this.wake = wake;
    }

    @Override
    public void record(AuditEntry entry) {
        String request = request();
        LOG.atInfo()
                .addKeyValue("caller", entry.caller())
                .addKeyValue("action", entry.action())
                .addKeyValue("kind", entry.kind())
                .addKeyValue("name", entry.name())
                .addKeyValue("reason", entry.reason())
                .addKeyValue("result", entry.result().label())
                .addKeyValue("detail", entry.detail())
                .addKeyValue("request", request)
                .log("change asked for");
        recent.add(entry, request);
        if (!pending.add(new Pending.Entry(UUID.randomUUID().toString(), entry, request))) {
            LOG.atError()
                    .addKeyValue("request", request)
                    .log("this entry of the audit is only in the log: too many wait already");
        }
        wake.run();
    }

    private static String request() {
        RequestAttributes request = RequestContextHolder.getRequestAttributes();
        Object id =
                request == null
                        ? null
                        : request.getAttribute(
                                RequestNames.ATTRIBUTE, RequestAttributes.SCOPE_REQUEST);
        return id == null ? "" : id.toString();
    }
}
