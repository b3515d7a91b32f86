package io.coil.admin.act;

import io.coil.admin.access.Caller;

/**
 * A change that somebody asks for, as the audit notes it.
 *
 * @param action one word: drain, release, ...
 * @param kind of what it is about: pool, block, node, collection
 * @param reason why; it is what others read later
 */
public record Asked(Caller caller, String action, String kind, String name, String reason) {
    public static final int LONGEST_REASON = 500;

    public Asked {
        reason = reason.strip();
    }
}
