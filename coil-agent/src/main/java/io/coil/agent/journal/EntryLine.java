package io.coil.agent.journal;

import io.coil.core.holdings.ContainerKey;
import io.coil.core.holdings.PodRef;
import io.coil.core.net.Address;
import io.coil.core.net.InvalidAddressException;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * One entry as a line: a check sum over the rest, then the fields, apart by tabs. A line that was
 * torn, or written over, does not match its sum and is no entry.
 */
final class EntryLine {
    private static final int FIELDS = 8;
    private static final String GIVEN = "given";
    private static final String FREED = "freed";

    private EntryLine() {}

    /** Without the end of the line. */
    static String of(Entry entry) {
        PodRef pod = entry.pod();
        String fields =
                String.join(
                        "\t",
                        Long.toString(entry.at().toEpochMilli()),
                        entry.given() ? GIVEN : FREED,
                        entry.key().containerId(),
                        entry.key().ifname(),
                        pod == null ? "" : pod.namespace(),
                        pod == null ? "" : pod.name(),
                        entry.pool(),
                        String.join(
                                ",", entry.addresses().stream().map(Address::toString).toList()));
        return sum(fields) + "\t" + fields;
    }

    static Optional<Entry> parse(String line) {
        int tab = line.indexOf('\t');
        if (tab < 0 || !line.substring(0, tab).equals(sum(line.substring(tab + 1)))) {
            return Optional.empty();
        }
        List<String> fields = Arrays.asList(line.substring(tab + 1).split("\t", -1));
        if (fields.size() != FIELDS) {
            return Optional.empty(); // a name with a tab in it, or another version's line
        }
        try {
            return Optional.of(
                    new Entry(
                            Instant.ofEpochMilli(Long.parseLong(fields.get(0))),
                            fields.get(1).equals(GIVEN),
                            new ContainerKey(fields.get(2), fields.get(3)),
                            pod(fields.get(4), fields.get(5)),
                            fields.get(6),
                            Arrays.stream(fields.get(7).split(",", -1))
                                    .map(Address::parse)
                                    .toList()));
        } catch (NumberFormatException | InvalidAddressException e) {
            return Optional.empty();
        }
    }

    private static @Nullable PodRef pod(String namespace, String name) {
        return name.isEmpty() ? null : new PodRef(namespace, name);
    }

    private static String sum(String text) {
        CRC32 sum = new CRC32();
        sum.update(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().toHexDigits((int) sum.getValue());
    }
}
