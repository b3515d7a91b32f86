package io.coil.admin.history;

/** Where it is noted who changed, or tried to change, what. */
public interface AuditLog {

    /**
     * Notes it. Returns at once, whatever the database does, and never throws: what was done is
     * done, noted or not.
     */
    void record(AuditEntry entry);
}
