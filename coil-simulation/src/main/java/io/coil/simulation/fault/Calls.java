package io.coil.simulation.fault;

import io.coil.simulation.fault.Decision.Kind;

import java.util.List;

/**
 * Calls of one sort, and how likely something happens to one.
 *
 * @param what verb and kind
 * @param count how many a process makes in a run of usual length
 * @param weight 4: as likely as the options say
 */
record Calls(String what, int count, int weight) {

    static final List<Calls> AGENT =
            List.of(
                    new Calls("GET addressblocks", 60, 8),
                    new Calls("DELETE addressblocks", 20, 16),
                    new Calls("PATCH addressblocks", 20, 16),
                    new Calls("LIST addressblocks", 10, 8),
                    new Calls("WATCH addressblocks", 10, 4),
                    new Calls("GET addresspools", 60, 4),
                    new Calls("GET blockrequests", 60, 4),
                    new Calls("CREATE blockrequests", 20, 12),
                    new Calls("DELETE blockrequests", 20, 12),
                    new Calls("WATCH blockrequests", 10, 4),
                    new Calls("GET nodes", 20, 4),
                    new Calls("WATCH addresspools", 10, 4),
                    new Calls("REPLACE nodeblockusages", 20, 4));

    static final List<Calls> CONTROLLER =
            List.of(
                    new Calls("GET nodes", 30, 16),
                    new Calls("DELETE addressblocks", 20, 24),
                    new Calls("PATCH addressblocks", 20, 24),
                    new Calls("CREATE addressblocks", 40, 12),
                    new Calls("STATUS blockrequests", 80, 8),
                    new Calls("GET blockrequests", 80, 4),
                    new Calls("DELETE blockrequests", 20, 12),
                    new Calls("GET addresspools", 40, 4),
                    new Calls("PATCH addresspools", 10, 16),
                    new Calls("LIST addressblocks", 20, 8),
                    new Calls("LIST blockrequests", 30, 2),
                    new Calls("STATUS garbagecollections", 20, 4),
                    new Calls("WATCH addressblocks", 10, 4),
                    new Calls("REPLACE leases", 60, 1));

    /** What can happen, the more often the more often it stands here. */
    static final List<Kind> KINDS =
            List.of(
                    Kind.LOST,
                    Kind.REPLY_LOST,
                    Kind.REPLY_LOST,
                    Kind.LATE,
                    Kind.LATE,
                    Kind.SLOW,
                    Kind.SLOW,
                    Kind.SLOW,
                    Kind.REPLY_SLOW,
                    Kind.REPLY_SLOW,
                    Kind.BROKEN,
                    Kind.BUSY,
                    Kind.CONFLICT,
                    Kind.DEATH,
                    Kind.DEATH_AFTER);
}
