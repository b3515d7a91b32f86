package io.coil.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;

class AddressTest {

    @ParameterizedTest
    @CsvSource({
        "10.1.2.3, 10.1.2.3",
        "0.0.0.0, 0.0.0.0",
        "255.255.255.255, 255.255.255.255",
        "::, ::",
        "::1, ::1",
        "1::, 1::",
        "FD00:0:0:0:0:0:0:1, fd00::1",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0db8::0001, 2001:db8::1",
        "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
        "::ffff:10.0.0.1, ::ffff:10.0.0.1",
        "64:ff9b::192.0.2.33, 64:ff9b::c000:221",
        "1:0:0:2:0:0:0:3, 1:0:0:2::3",
    })
    void textsAreMadeCanonical(String text, String canonical) {
        assertThat(Address.parse(text)).hasToString(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10.0.0",
                "10.0.0.0.0",
                "10.0.0.256",
                "010.0.0.1",
                "10.0.0.-1",
                "localhost",
                ":",
                ":::",
                "1::2::3",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "fe80::1%eth0",
                "12345::",
                "::1.2.3",
                "1.2.3.4::",
                "g::",
                " ::1"
            })
    void anythingElseIsRefusedWithItsText(String text) {
        assertThatExceptionOfType(InvalidAddressException.class)
                .isThrownBy(() -> Address.parse(text))
                .withMessageContaining("\"" + text + "\"");
    }

    @Property
    void textAndNumberAgreeWithTheJdk(@ForAll long high, @ForAll long low)
            throws UnknownHostException {
        Address address = new Address(Family.IPV6, high, low);

        assertThat(Address.parse(address.toString())).isEqualTo(address);
        byte[] bytes = InetAddress.getByName(address.toString()).getAddress();
        if (bytes.length == 16) { // the JDK turns IPv4-mapped ones into IPv4
            assertThat(new BigInteger(1, bytes)).isEqualTo(address.value());
        }
    }

    @Property
    void ipv4TextGoesThereAndBack(@ForAll @LongRange(min = 0, max = 0xFFFF_FFFFL) long value) {
        Address address = new Address(Family.IPV4, 0, value);

        assertThat(Address.parse(address.toString())).isEqualTo(address);
    }

    @Property
    void additionIsExact(
            @ForAll long high,
            @ForAll long low,
            @ForAll @LongRange(min = 0) long offset,
            @ForAll long far) {
        Address address = new Address(Family.IPV6, high, low);
        BigInteger max = BigInteger.ONE.shiftLeft(128);
        BigInteger large = new Address(Family.IPV6, far, offset).value();

        for (BigInteger n : new BigInteger[] {BigInteger.valueOf(offset), large}) {
            BigInteger sum = address.value().add(n);
            if (sum.compareTo(max) < 0) {
                assertThat(address.plus(n).value()).isEqualTo(sum);
                assertThat(address.plus(n).minus(address)).isEqualTo(n);
            } else {
                assertThatThrownBy(() -> address.plus(n)).isInstanceOf(ArithmeticException.class);
            }
        }
    }

    @Property
    void orderIsThatOfTheNumbers(
            @ForAll long high, @ForAll long low, @ForAll long otherHigh, @ForAll long otherLow) {
        Address one = new Address(Family.IPV6, high, low);
        Address other = new Address(Family.IPV6, otherHigh, otherLow);

        assertThat(Integer.signum(one.compareTo(other)))
                .isEqualTo(one.value().compareTo(other.value()));
        assertThat(Address.parse("255.255.255.255")).isLessThan(one);
    }
}
