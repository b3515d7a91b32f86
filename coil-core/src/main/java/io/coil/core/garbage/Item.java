package io.coil.core.garbage;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * One thing that a check found, with its evidence, and what became of it.
 *
 * @param name the object's name, or the address, or the route's destination
 * @param uid the object's UID, or the container's id; null if it has neither
 * @param block the block that it is or lies in
 * @param evidence a sentence: what was seen, how often, where
 * @param age how long it has been so, as far as the finder knows
 */
public record Item(
        Rule rule,
        Kind kind,
        String name,
        @Nullable String uid,
        @Nullable String block,
        @Nullable String pool,
        @Nullable String node,
        String evidence,
        Duration age,
        Outcome outcome) {

    /** What makes two items the same finding, however their evidence and age have gone on. */
    public record Key(Rule rule, Kind kind, String name, @Nullable String uid) {}

    public Key key() {
        return new Key(rule, kind, name, uid);
    }

    public Item with(Outcome result) {
        return new Item(rule, kind, name, uid, block, pool, node, evidence, age, result);
    }

    /** The same with a sentence added to the evidence: what happened when it was acted on. */
    public Item with(Outcome result, String addition) {
        return new Item(
                rule, kind, name, uid, block, pool, node, evidence + "; " + addition, age, result);
    }
}
