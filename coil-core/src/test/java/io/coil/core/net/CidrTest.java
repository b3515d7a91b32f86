package io.coil.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigInteger;

class CidrTest {

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1/30, 10.0.0.0/30, true",
        "10.0.0.0/30, 10.0.0.0/30, false",
        "10.255.1.2/0, 0.0.0.0/0, true",
        "10.0.0.1/32, 10.0.0.1/32, false",
        "fd00::1/64, fd00::/64, true",
        "FD00:0::/127, fd00::/127, false",
        "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/1, 8000::/1, true",
        "::1/128, ::1/128, false"
    })
    void hostBitsAreCleared(String text, String cidr, boolean hadHostBits) {
        assertThat(Cidr.parse(text)).hasToString(cidr);
        assertThat(Cidr.hasHostBits(text)).isEqualTo(hadHostBits);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.0",
                "10.0.0.0/",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/08",
                "10.0.0.0/8/8",
                "fd00::/129",
                "/8",
                "x/8"
            })
    void anythingElseIsRefused(String text) {
        assertThatExceptionOfType(InvalidAddressException.class)
                .isThrownBy(() -> Cidr.parse(text))
                .withMessageContaining("\"");
    }

    @Test
    void theWholeOfIpv6HasMoreThanALongCanSay() {
        Cidr all = Cidr.parse("::/0");

        assertThat(all.size()).isEqualTo(BigInteger.ONE.shiftLeft(128));
        assertThat(all.last()).hasToString("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
        assertThat(all.at(BigInteger.ONE.shiftLeft(127))).hasToString("8000::");
        assertThat(all.offsetOf(all.last()))
                .isEqualTo(BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE));
    }

    @Property
    void itContainsWhatLiesBetweenFirstAndLast(
            @ForAll long high,
            @ForAll long low,
            @ForAll @IntRange(min = 0, max = 128) int prefix,
            @ForAll long otherHigh,
            @ForAll long otherLow,
            @ForAll boolean near) {
        Cidr cidr = Cidr.of(new Address(Family.IPV6, high, low), prefix);
        Address other = new Address(Family.IPV6, near ? high : otherHigh, otherLow);

        boolean between = other.compareTo(cidr.first()) >= 0 && other.compareTo(cidr.last()) <= 0;

        assertThat(cidr.contains(other)).isEqualTo(between);
        assertThat(cidr.last().minus(cidr.first()).add(BigInteger.ONE)).isEqualTo(cidr.size());
        assertThat(Cidr.parse(cidr.toString())).isEqualTo(cidr);
    }

    @Property
    void overlapIsThatOfIntervals(
            @ForAll @LongRange(min = 0, max = 0xFFFF) long one,
            @ForAll @IntRange(min = 16, max = 32) int onePrefix,
            @ForAll @LongRange(min = 0, max = 0xFFFF) long other,
            @ForAll @IntRange(min = 16, max = 32) int otherPrefix) {
        Cidr a = Cidr.of(new Address(Family.IPV4, 0, one), onePrefix);
        Cidr b = Cidr.of(new Address(Family.IPV4, 0, other), otherPrefix);

        boolean apart = a.last().compareTo(b.first()) < 0 || b.last().compareTo(a.first()) < 0;

        assertThat(a.overlaps(b)).isEqualTo(!apart).isEqualTo(b.overlaps(a));
    }

    @Property
    void partsAreWhatMultiplicationSays(
            @ForAll long high,
            @ForAll long low,
            @ForAll @IntRange(min = 0, max = 128) int hostBits,
            @ForAll @IntRange(min = 0, max = 128) int partBits,
            @ForAll @LongRange(min = 0) long number) {
        Assume.that(partBits <= hostBits);
        Cidr cidr = Cidr.of(new Address(Family.IPV6, high, low), 128 - hostBits);
        BigInteger parts = BigInteger.ONE.shiftLeft(hostBits - partBits);
        long inside = BigInteger.valueOf(number).mod(parts).longValue();

        Cidr part = cidr.part(inside, partBits);

        BigInteger expected =
                cidr.first().value().add(BigInteger.valueOf(inside).shiftLeft(partBits));
        assertThat(part.first().value()).isEqualTo(expected);
        assertThat(part.hostBits()).isEqualTo(partBits);
        if (parts.bitLength() < 63) {
            assertThatThrownBy(() -> cidr.part(parts.longValue(), partBits))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }
}
