package io.coil.core.pool;

import io.coil.core.net.Address;
import io.coil.core.net.Family;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The rules of admission for pools. A new pool keeps all of them; an update is judged only on what
 * it changes, because pools that break a rule exist and their metadata must stay changeable.
 *
 * <p>Admission is advice, not a guarantee: two overlapping pools made at once both pass. That their
 * blocks never overlap is the ledger's business.
 */
public final class PoolRules {
    /** A label value ends here (Kubernetes), and blocks carry their pool's name as a label. */
    public static final int LABEL_LIMIT = 63;

    /** No new pool has larger blocks: 65,536 addresses a node at a time. */
    public static final int BLOCK_SIZE_BITS_LIMIT = 16;

    private PoolRules() {}

    /** A block that exists, of any pool. */
    public record ExistingBlock(String name, String pool, BlockRange range) {}

    /** An InternalIP of a node. */
    public record NodeAddress(String node, Address address) {}

    /** What is wrong with a pool that is about to be created; empty: nothing. */
    public static List<Violation> onCreate(
            PoolText pool, Collection<PoolText> pools, Collection<ExistingBlock> blocks) {
        List<Violation> violations = new ArrayList<>();
        name(pool.name(), violations);
        int bits = pool.effectiveBlockSizeBits();
        if (bits < 0) {
            violations.add(negativeBits(bits));
        } else if (bits > BLOCK_SIZE_BITS_LIMIT) {
            violations.add(
                    new Violation(
                            "spec.blockSizeBits",
                            "%d is more than %d: a block would have 2^%d addresses"
                                    .formatted(bits, BLOCK_SIZE_BITS_LIMIT, bits)));
        }
        if (pool.subnets().isEmpty()) {
            violations.add(new Violation("spec.subnets", "a pool needs at least one entry"));
        }
        entries(pool, 0, violations);
        OverlapRules.judge(pool, 0, pools, blocks, violations);
        annotations(pool.annotations(), Map.of(), violations);
        return List.copyOf(violations);
    }

    /** What is wrong with what an update changes; empty: nothing. */
    public static List<Violation> onUpdate(
            PoolText old,
            PoolText updated,
            Collection<PoolText> pools,
            Collection<ExistingBlock> blocks) {
        List<Violation> violations = new ArrayList<>();
        if (old.effectiveBlockSizeBits() != updated.effectiveBlockSizeBits()) {
            violations.add(
                    new Violation(
                            "spec.blockSizeBits",
                            "the size of blocks cannot be changed, from %d to %d: make a new pool"
                                    .formatted(
                                            old.effectiveBlockSizeBits(),
                                            updated.effectiveBlockSizeBits())));
        }
        int kept = old.subnets().size();
        if (updated.subnets().size() < kept) {
            violations.add(
                    new Violation(
                            "spec.subnets",
                            "entries can be added, never removed: there were %d, now %d"
                                    .formatted(kept, updated.subnets().size())));
        }
        for (int i = 0; i < Math.min(kept, updated.subnets().size()); i++) {
            unchanged(i, old.subnets().get(i), updated.subnets().get(i), violations);
        }
        if (updated.subnets().size() > kept) {
            entries(updated, kept, violations);
            OverlapRules.judge(updated, kept, pools, blocks, violations);
        }
        annotations(updated.annotations(), old.annotations(), violations);
        return List.copyOf(violations);
    }

    static Violation negativeBits(int bits) {
        return new Violation("spec.blockSizeBits", bits + " is negative: the least is 0");
    }

    private static void name(String name, List<Violation> violations) {
        if (name.length() > LABEL_LIMIT) {
            violations.add(
                    new Violation(
                            "metadata.name",
                            "the name has %d characters, at most %d can be a label value of its blocks"
                                    .formatted(name.length(), LABEL_LIMIT)));
        }
    }

    /** The entries from that number on: each by itself, and its families against the others'. */
    private static void entries(PoolText pool, int from, List<Violation> violations) {
        Set<Family> expected = commonFamilies(pool, from);
        for (int i = from; i < pool.subnets().size(); i++) {
            PoolText.SubnetText text = pool.subnets().get(i);
            Subnet subnet = SubnetReading.of(i, text, violations).orElse(null);
            if (subnet == null) {
                continue;
            }
            if (subnet.hostBits() < pool.effectiveBlockSizeBits()) {
                violations.add(
                        new Violation(
                                SubnetReading.path(i),
                                "%s has %d host bits, fewer than blockSizeBits (%d): not one block fits"
                                        .formatted(
                                                subnet.ranges().getFirst(),
                                                subnet.hostBits(),
                                                pool.effectiveBlockSizeBits())));
            }
            Set<Family> families = families(text);
            if (expected.isEmpty()) {
                expected = families;
            } else if (!expected.equals(families)) {
                violations.add(
                        new Violation(
                                SubnetReading.path(i),
                                "the entry has %s, the others have %s: all entries of a pool have the same families"
                                        .formatted(words(families), words(expected))));
            }
        }
    }

    /** The families that all entries before that one have; empty if they differ, or are none. */
    private static Set<Family> commonFamilies(PoolText pool, int before) {
        List<Set<Family>> sets =
                pool.subnets().subList(0, before).stream()
                        .map(PoolRules::families)
                        .distinct()
                        .toList();
        return sets.size() == 1 ? sets.getFirst() : Set.of();
    }

    private static Set<Family> families(PoolText.SubnetText text) {
        EnumSet<Family> families = EnumSet.noneOf(Family.class);
        if (text.ipv4() != null && !text.ipv4().isEmpty()) {
            families.add(Family.IPV4);
        }
        if (text.ipv6() != null && !text.ipv6().isEmpty()) {
            families.add(Family.IPV6);
        }
        return families;
    }

    private static String words(Set<Family> families) {
        return String.join(" and ", families.stream().map(SubnetReading::familyName).toList());
    }

    /** Compares addresses, not texts; texts only where they cannot be read. */
    private static void unchanged(
            int entry,
            PoolText.SubnetText old,
            PoolText.SubnetText updated,
            List<Violation> violations) {
        if (old.equals(updated)) {
            return;
        }
        Subnet before = SubnetReading.of(entry, old, new ArrayList<>()).orElse(null);
        Subnet after = SubnetReading.of(entry, updated, new ArrayList<>()).orElse(null);
        if (before == null || !Objects.equals(before, after)) {
            violations.add(
                    new Violation(
                            SubnetReading.path(entry),
                            "an entry cannot be changed, from %s to %s: add one, or make a new pool"
                                    .formatted(text(old), text(updated))));
        }
    }

    private static String text(PoolText.SubnetText entry) {
        String ipv4 = Objects.requireNonNullElse(entry.ipv4(), "");
        String ipv6 = Objects.requireNonNullElse(entry.ipv6(), "");
        if (ipv4.isEmpty() || ipv6.isEmpty()) {
            return ipv4.isEmpty() && ipv6.isEmpty() ? "nothing" : ipv4 + ipv6;
        }
        return ipv4 + " + " + ipv6;
    }

    private static void annotations(
            Map<String, String> annotations, Map<String, String> old, List<Violation> violations) {
        for (PoolSwitches.BadValue bad : PoolSwitches.parse(annotations).bad()) {
            if (!bad.value().equals(old.get(bad.annotation()))) {
                violations.add(
                        new Violation(
                                "metadata.annotations[" + bad.annotation() + "]", bad.message()));
            }
        }
    }
}
