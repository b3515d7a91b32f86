package io.coil.cli;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What can be asked for, and what a table of it shows. A cell is the path of a field; {@code a/b}
 * is two of them with a stroke between, {@code ~a} the time since.
 */
enum Kind {
    NODES(
            "nodes",
            "node",
            "--pool --state",
            "NAME name|AGENT agent.state|#BLOCKS total.blocks|#EMPTY total.empty|#LEAKS"
                    + " total.candidates|#ADDRESSES total.used/total.capacity|COLLECTION collection|FINDINGS"
                    + " findings"),
    POOLS(
            "pools",
            "pool",
            "--state",
            "NAME name|STATE state|#BLOCKS blocks.granted/blocks.total|#LEAKS candidates|#ADDRESSES"
                    + " addresses.used/addresses.total|COLLECTION collection|FINDINGS findings"),
    BLOCKS(
            "blocks",
            null,
            "--pool --node --state",
            "NAME name|POOL pool|NODE node|STATE state|#ADDRESSES used/capacity|RANGE ranges|EMPTY FOR"
                    + " ~emptySince"),
    REQUESTS(
            "requests",
            null,
            "--pool --node --state",
            "NAME name|POOL pool|NODE node|STATE state|BLOCK block|AGE ~created|MESSAGE message"),
    LEAKS(
            "blocks?candidate=true",
            null,
            "--pool --node",
            "BLOCK name|POOL pool|NODE node|STATE state|RANGE ranges|EMPTY FOR ~emptySince|COLLECTION"
                    + " collection"),
    COLLECTIONS(
            "collections",
            "collection",
            "--state",
            "NAME name|PHASE phase|PLAN ONLY dryRun|#FOUND found|#DONE done|#KEPT kept|#FAILED"
                    + " failed|AGE ~created|REASON reason"),
    ADDRESS(
            "addresses",
            null,
            "",
            "ADDRESS address|IN USE inUse|POD pod.namespace/pod.name|NODE node|BLOCK block|POOL"
                    + " pool|SINCE pod.since");

    /**
     * A column of the table.
     *
     * @param field path, or two of them with a stroke between, or one with ~ before it
     */
    record Column(String title, boolean number, String field) {}

    private final String path;
    private final @Nullable String wrapped;
    private final String filters;
    private final String columns;

    Kind(String path, @Nullable String wrapped, String filters, String columns) {
        this.path = path;
        this.wrapped = wrapped;
        this.filters = filters;
        this.columns = columns;
    }

    private static Column column(String text) {
        int space = text.lastIndexOf(' ');
        boolean number = text.startsWith("#");
        return new Column(text.substring(number ? 1 : 0, space), number, text.substring(space + 1));
    }

    /** Below {@code /api/v1/}. */
    String path() {
        return path;
    }

    /**
     * The field of an answer about one that has what a list's item has; null: the answer itself.
     */
    @Nullable String wrapped() {
        return wrapped;
    }

    /** Options that choose some of a list. */
    Set<String> filters() {
        return Set.of(filters.split(" ", -1));
    }

    List<Column> columns() {
        return Arrays.stream(columns.split("\\|", -1)).map(Kind::column).toList();
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** By its word, or the word for one of them. */
    static Kind of(String word) throws Failure {
        for (Kind kind : values()) {
            if (kind.word().equals(word) || kind.word().equals(word + "s")) {
                return kind;
            }
        }
        throw Failure.wrongUse(
                "there is nothing called %s: there are %s"
                        .formatted(
                                word,
                                Arrays.stream(values())
                                        .map(Kind::word)
                                        .collect(Collectors.joining(", "))));
    }
}
