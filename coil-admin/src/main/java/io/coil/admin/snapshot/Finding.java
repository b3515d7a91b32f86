package io.coil.admin.snapshot;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * What a check found, with its evidence.
 *
 * @param rule e.g. {@code surplus-block}
 * @param kind of the thing: node, pool or block
 * @param name of the thing
 * @param title a sentence that names it
 * @param evidence why we think so, in sentences
 * @param since null if that is not known
 * @param decision whether a person has to do something; else it is handled without one
 */
public record Finding(
        String rule,
        Tone tone,
        String kind,
        String name,
        @Nullable String node,
        @Nullable String pool,
        @Nullable String block,
        String title,
        String evidence,
        @Nullable Instant since,
        boolean decision) {}
