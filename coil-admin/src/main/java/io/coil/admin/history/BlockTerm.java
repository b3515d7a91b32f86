package io.coil.admin.history;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * A block from its grant to its end.
 *
 * @param ranges its addresses, as CIDR texts with commas between them
 * @param grantedAt when it was created, as Kubernetes has it
 * @param seenAt when it was first seen here
 * @param lastState what it was doing when it was last seen; null while it is there
 * @param goneAfter last seen; null while it is there
 * @param goneAt first missed; null while it is there
 * @param rule by which a collection returned or released it; null if none that was kept did
 * @param run that collection
 */
public record BlockTerm(
        String uid,
        String name,
        String pool,
        @Nullable String node,
        @Nullable String request,
        String ranges,
        @Nullable Instant grantedAt,
        Instant seenAt,
        @Nullable String lastState,
        @Nullable Instant goneAfter,
        @Nullable Instant goneAt,
        @Nullable String rule,
        @Nullable String run) {}
