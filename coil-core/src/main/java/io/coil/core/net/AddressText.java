package io.coil.core.net;

import org.jspecify.annotations.Nullable;

/** The text forms of addresses: RFC 4291 for reading, RFC 5952 for writing. */
final class AddressText {
    private static final int GROUPS = 8;
    private static final long MAPPED_PREFIX = 0xFFFFL;

    private AddressText() {}

    static Address parse(String text) {
        Address address = text.indexOf(':') >= 0 ? ipv6(text) : ipv4(text);
        if (address == null) {
            throw new InvalidAddressException(
                    "\"%s\" is not an IP address: write it as 10.1.2.3 or fd00::1".formatted(text));
        }
        return address;
    }

    static String format(Address address) {
        return address.family() == Family.IPV4
                ? formatIpv4(address.low())
                : formatIpv6(address.high(), address.low());
    }

    private static @Nullable Address ipv4(String text) {
        long value = 0;
        int at = 0;
        for (int part = 0; part < 4; part++) {
            int end = part == 3 ? text.length() : text.indexOf('.', at);
            if (end < 0) {
                return null;
            }
            int number = decimalByte(text, at, end);
            if (number < 0) {
                return null;
            }
            value = value << 8 | number;
            at = end + 1;
        }
        return new Address(Family.IPV4, 0, value);
    }

    /** The number from 0 to 255 written there without leading zeros, or -1. */
    private static int decimalByte(String text, int from, int to) {
        int length = to - from;
        if (length < 1 || length > 3 || (length > 1 && text.charAt(from) == '0')) {
            return -1;
        }
        int number = 0;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            number = number * 10 + (c - '0');
        }
        return number <= 255 ? number : -1;
    }

    private static @Nullable Address ipv6(String text) {
        int gap = text.indexOf("::");
        if (gap >= 0 && text.indexOf("::", gap + 1) >= 0) {
            return null;
        }
        int[] head = groups(gap < 0 ? text : text.substring(0, gap), gap < 0);
        int[] tail = groups(gap < 0 ? "" : text.substring(gap + 2), true);
        if (head == null || tail == null) {
            return null;
        }
        int written = head.length + tail.length;
        if (gap < 0 ? written != GROUPS : written >= GROUPS) {
            return null;
        }
        int[] all = new int[GROUPS];
        System.arraycopy(head, 0, all, 0, head.length);
        System.arraycopy(tail, 0, all, GROUPS - tail.length, tail.length);
        return new Address(Family.IPV6, half(all, 0), half(all, 4));
    }

    private static long half(int[] groups, int from) {
        long half = 0;
        for (int i = from; i < from + 4; i++) {
            half = half << 16 | groups[i];
        }
        return half;
    }

    /** The groups of one side of a "::"; the last may be an IPv4 address if nothing follows it. */
    private static int @Nullable [] groups(String side, boolean last) {
        if (side.isEmpty()) {
            return new int[0];
        }
        String[] parts = side.split(":", -1);
        boolean embedded = last && parts[parts.length - 1].indexOf('.') >= 0;
        int[] groups = new int[parts.length + (embedded ? 1 : 0)];
        if (groups.length > GROUPS) {
            return null;
        }
        for (int i = 0; i < parts.length; i++) {
            if (embedded && i == parts.length - 1) {
                Address ipv4 = ipv4(parts[i]);
                if (ipv4 == null) {
                    return null;
                }
                groups[i] = (int) (ipv4.low() >>> 16);
                groups[i + 1] = (int) (ipv4.low() & 0xFFFF);
            } else {
                groups[i] = hexGroup(parts[i]);
                if (groups[i] < 0) {
                    return null;
                }
            }
        }
        return groups;
    }

    private static int hexGroup(String part) {
        if (part.isEmpty() || part.length() > 4) {
            return -1;
        }
        int number = 0;
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            int digit = c < 128 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                return -1;
            }
            number = number << 4 | digit;
        }
        return number;
    }

    private static String formatIpv4(long value) {
        return (value >>> 24)
                + "."
                + (value >>> 16 & 0xFF)
                + "."
                + (value >>> 8 & 0xFF)
                + "."
                + (value & 0xFF);
    }

    private static String formatIpv6(long high, long low) {
        if (high == 0 && low >>> 32 == MAPPED_PREFIX) {
            return "::ffff:" + formatIpv4(low & 0xFFFF_FFFFL);
        }
        int[] groups = new int[GROUPS];
        for (int i = 0; i < GROUPS; i++) {
            long half = i < 4 ? high : low;
            groups[i] = (int) (half >>> (48 - 16 * (i & 3)) & 0xFFFF);
        }
        int gapStart = -1;
        int gapLength = 1; // a single zero group is written out
        for (int i = 0; i < GROUPS; i++) {
            int end = i;
            while (end < GROUPS && groups[end] == 0) {
                end++;
            }
            if (end - i > gapLength) {
                gapStart = i;
                gapLength = end - i;
            }
            i = Math.max(i, end - 1);
        }
        StringBuilder text = new StringBuilder(39);
        for (int i = 0; i < GROUPS; i++) {
            if (i == gapStart) {
                text.append("::");
                i += gapLength - 1;
                continue;
            }
            if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
                text.append(':');
            }
            text.append(Integer.toHexString(groups[i]));
        }
        return text.toString();
    }
}
