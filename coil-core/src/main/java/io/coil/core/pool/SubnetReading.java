package io.coil.core.pool;

import io.coil.core.net.Cidr;
import io.coil.core.net.Family;
import io.coil.core.net.InvalidAddressException;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/** Reads one entry of a pool and says what is wrong with it. */
final class SubnetReading {
    private SubnetReading() {}

    static String path(int entry) {
        return "spec.subnets[" + entry + "]";
    }

    /** The entry, or empty with at least one violation added. */
    static Optional<Subnet> of(int entry, PoolText.SubnetText text, List<Violation> violations) {
        int before = violations.size();
        Cidr ipv4 = range(path(entry) + ".ipv4", text.ipv4(), Family.IPV4, violations);
        Cidr ipv6 = range(path(entry) + ".ipv6", text.ipv6(), Family.IPV6, violations);
        if (violations.size() > before) {
            return Optional.empty();
        }
        if (ipv4 == null && ipv6 == null) {
            violations.add(
                    new Violation(
                            path(entry), "the entry needs an ipv4 or an ipv6 range, or both"));
            return Optional.empty();
        }
        if (ipv4 != null && ipv6 != null && ipv4.hostBits() != ipv6.hostBits()) {
            violations.add(
                    new Violation(
                            path(entry),
                            "%s has 2^%d addresses and %s has 2^%d: both ranges of an entry must be of one size"
                                    .formatted(ipv4, ipv4.hostBits(), ipv6, ipv6.hostBits())));
            return Optional.empty();
        }
        return Optional.of(new Subnet(ipv4, ipv6));
    }

    private static @Nullable Cidr range(
            String path, @Nullable String text, Family family, List<Violation> violations) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        try {
            Cidr cidr = Cidr.parse(text);
            if (cidr.family() == family) {
                return cidr;
            }
            violations.add(
                    new Violation(
                            path, "\"%s\" is not an %s range".formatted(text, familyName(family))));
        } catch (InvalidAddressException e) {
            violations.add(new Violation(path, String.valueOf(e.getMessage())));
        }
        return null;
    }

    static String familyName(Family family) {
        return family == Family.IPV4 ? "IPv4" : "IPv6";
    }
}
