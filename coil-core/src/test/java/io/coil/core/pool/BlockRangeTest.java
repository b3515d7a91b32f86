package io.coil.core.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.core.net.Address;
import io.coil.core.net.Cidr;
import io.coil.core.net.InvalidAddressException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockRangeTest {

    @ParameterizedTest
    @CsvSource({
        "fd00::/64, , is not of the family IPV4",
        ", 10.0.0.0/24, is not of the family IPV6",
        "'', '', neither an IPv4 nor an IPv6 range",
        ", , neither an IPv4 nor an IPv6 range",
        "10.0.0.0, , is not a CIDR range"
    })
    void whatCannotBeReadIsSaid(String ipv4, String ipv6, String message) {
        assertThatExceptionOfType(InvalidAddressException.class)
                .isThrownBy(() -> BlockRange.parse(ipv4, ipv6))
                .withMessageContaining(message);
    }

    @Test
    void ofUnequalRangesTheSmallerCounts() {
        BlockRange range = BlockRange.parse("10.0.0.0/30", "fd00::/64");

        assertThat(range.capacity()).isEqualTo(4);
        assertThat(range.offsetOf(Address.parse("fd00::3"))).hasValue(3);
        assertThat(range.offsetOf(Address.parse("fd00::4"))).isEmpty();
        assertThat(range.contains(Address.parse("fd00::4"))).isTrue();
        assertThatThrownBy(() -> range.addressesAt(4))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void aBlockOfMoreThanALongCanSayHasTheLargestLong() {
        BlockRange range = BlockRange.parse(null, "fd00::/64");

        assertThat(range.capacity()).isEqualTo(Long.MAX_VALUE);
        assertThat(range.size()).hasToString("18446744073709551616");
        assertThat(range.offsetOf(Address.parse("fd00::7fff:ffff:ffff:fffe")))
                .hasValue(Long.MAX_VALUE - 1);
        assertThat(range.offsetOf(Address.parse("fd00::8000:0:0:0"))).isEmpty();
    }

    @Test
    void overlapInEitherFamilyIsOverlap() {
        BlockRange dual = BlockRange.parse("10.0.0.0/30", "fd00::/126");

        assertThat(dual.overlaps(BlockRange.parse(null, "fd00::2/127"))).isTrue();
        assertThat(dual.overlaps(BlockRange.parse("10.0.0.3/32", null))).isTrue();
        assertThat(dual.overlaps(BlockRange.parse("10.0.0.4/30", "fd00::4/126"))).isFalse();
    }

    @Test
    void aFamilyStandsInItsOwnPlace() {
        Cidr ipv6 = Cidr.parse("fd00::/64");

        assertThatThrownBy(() -> new BlockRange(ipv6, null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Subnet(null, null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Subnet(Cidr.parse("10.0.0.0/30"), ipv6))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("differ in size");
    }
}
