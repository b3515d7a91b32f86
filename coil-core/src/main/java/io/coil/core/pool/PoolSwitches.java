package io.coil.core.pool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * What the annotations of a pool switch, and, as far as they mean anything there, those of a node
 * (collection) and of a block (drain). Empty: not said, so the setting of the program holds.
 */
public record PoolSwitches(
        OptionalInt spareBlocks,
        OptionalInt maxBlocksPerNode,
        Optional<Duration> reuseDelay,
        Optional<CollectionMode> collection,
        boolean drain) {
    public static final String SPARE_BLOCKS = "ops.coil.io/spare-blocks";
    public static final String MAX_BLOCKS_PER_NODE = "ops.coil.io/max-blocks-per-node";
    public static final String REUSE_DELAY = "ops.coil.io/reuse-delay";
    public static final String COLLECTION = "ops.coil.io/collection";
    public static final String DRAIN = "ops.coil.io/drain";

    /** Nothing is switched. */
    public static final PoolSwitches NONE =
            new PoolSwitches(
                    OptionalInt.empty(),
                    OptionalInt.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    false);

    /** An annotation whose value cannot be used; the message is a sentence that says what can. */
    public record BadValue(String annotation, String value, String message) {}

    /** The switches that could be read, and the values that could not and were left out. */
    public record Parsed(PoolSwitches switches, List<BadValue> bad) {}

    /** Reads the annotations of an object; those that are none of ours are passed over. */
    public static Parsed parse(Map<String, String> annotations) {
        Reader reader = new Reader(annotations, new ArrayList<>());
        PoolSwitches switches =
                new PoolSwitches(
                        reader.number(SPARE_BLOCKS, 0),
                        reader.number(MAX_BLOCKS_PER_NODE, 1),
                        reader.value(
                                REUSE_DELAY,
                                Durations::parse,
                                "a duration such as 30s, 5m or 1h30m"),
                        reader.value(COLLECTION, CollectionMode::parse, "on, manual or off"),
                        reader.value(DRAIN, PoolSwitches::bool, "true or false").orElse(false));
        return new Parsed(switches, List.copyOf(reader.bad()));
    }

    private static Optional<Boolean> bool(String text) {
        return switch (text) {
            case "true" -> Optional.of(true);
            case "false" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    private record Reader(Map<String, String> annotations, List<BadValue> bad) {

        <T> Optional<T> value(String key, Function<String, Optional<T>> parser, String allowed) {
            String text = annotations.get(key);
            if (text == null) {
                return Optional.empty();
            }
            Optional<T> value = parser.apply(text);
            if (value.isEmpty()) {
                bad.add(
                        new BadValue(
                                key,
                                text,
                                "annotation %s is \"%s\": allowed is %s"
                                        .formatted(key, text, allowed)));
            }
            return value;
        }

        OptionalInt number(String key, int least) {
            Optional<Integer> value =
                    value(key, text -> wholeNumber(text, least), "a whole number from " + least);
            return value.isPresent() ? OptionalInt.of(value.get()) : OptionalInt.empty();
        }

        private static Optional<Integer> wholeNumber(String text, int least) {
            if (!text.matches("\\d{1,9}") || Integer.parseInt(text) < least) {
                return Optional.empty();
            }
            return Optional.of(Integer.valueOf(text));
        }
    }
}
