package io.coil.admin.web;

import io.coil.core.pool.PoolText;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** Subnets as people type them: an entry a line, IPv4, IPv6, or both beside each other. */
final class SubnetLines {
    private SubnetLines() {}

    static List<PoolText.SubnetText> read(String text) {
        List<PoolText.SubnetText> entries = new ArrayList<>();
        text.lines().forEach(line -> entry(line, entries));
        return entries;
    }

    /** Two of one family in a line are two entries. */
    private static void entry(String line, List<PoolText.SubnetText> entries) {
        String ipv4 = null;
        String ipv6 = null;
        for (String word : line.strip().split("[\\s,+]+", -1)) {
            boolean six = word.contains(":");
            if (six ? ipv6 != null : ipv4 != null) {
                add(ipv4, ipv6, entries);
                ipv4 = null;
                ipv6 = null;
            }
            if (six) {
                ipv6 = word;
            } else if (!word.isEmpty()) {
                ipv4 = word;
            }
        }
        add(ipv4, ipv6, entries);
    }

    private static void add(
            @Nullable String ipv4, @Nullable String ipv6, List<PoolText.SubnetText> entries) {
        if (ipv4 != null || ipv6 != null) {
            entries.add(new PoolText.SubnetText(ipv4, ipv6));
        }
    }
}
