package io.coil.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.core.net.Address;
import io.coil.core.pool.PoolRules.ExistingBlock;
import io.coil.core.pool.PoolRules.NodeAddress;
import io.coil.core.pool.PoolText.SubnetText;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

class PoolWarningsTest {

    @Test
    void D7_moreThanTheIndicesIsWarnedOf() {
        assertThat(warnings(pool("p", new SubnetText(null, "fd00::/64"))))
                .singleElement()
                .satisfies(text -> assertThat(text).contains("18446744073709551616", "2^31"));
        assertThat(warnings(pool("p", new SubnetText(null, "fd00::/48"))))
                .singleElement()
                .satisfies(text -> assertThat(text).contains("1208925819614629174706176"));
        assertThat(warnings(pool("p", "10.0.0.0/8"))).isEmpty();
        assertThat(warnings(pool("p", new SubnetText(null, "fd00::/97")))).isEmpty();
    }

    @Test
    void D6_anAddressOfANodeInThePoolIsWarnedOf() {
        assertThat(
                        warnings(
                                pool("p", "10.1.0.8/29"),
                                node("n2", "10.1.0.9"),
                                node("n1", "10.1.0.8")))
                .containsExactly(
                        "pool p contains 10.1.0.8, an address of the node n1 and 1 more: no pod may get it");
        assertThat(warnings(pool("p", "10.1.0.0/29"), node("n1", "10.1.0.8"))).isEmpty();
        assertThat(warnings(pool("p", "10.1.0.16/29"), node("n1", "10.1.0.15"))).isEmpty();
    }

    @Test
    void anUpdateIsWarnedOfWhatItAdds() {
        PoolText old = pool("p", "10.1.0.8/29");
        NodeAddress inOld = node("n1", "10.1.0.8");
        NodeAddress inNew = node("n2", "10.2.0.1");

        assertThat(PoolWarnings.onUpdate(old, old, List.of(inOld))).isEmpty();
        assertThat(
                        PoolWarnings.onUpdate(
                                old,
                                pool("p", "10.1.0.8/29", "10.2.0.0/29"),
                                List.of(inOld, inNew)))
                .singleElement()
                .satisfies(
                        text -> assertThat(text).contains("10.2.0.1", "n2").doesNotContain("n1"));
    }

    @Test
    void A10_blocksThatOutlivedAPoolOfThatNameAreNamed() {
        ExistingBlock left = new ExistingBlock("p-0", "p", BlockRange.parse("10.1.0.8/31", null));
        ExistingBlock others = new ExistingBlock("q-0", "q", BlockRange.parse("10.9.0.8/31", null));

        assertThat(
                        PoolWarnings.onCreate(
                                pool("p", "10.1.0.8/29"), List.of(), List.of(left, others)))
                .containsExactly(
                        "of an earlier pool p the block p-0 (10.1.0.8/31) is left: its addresses are"
                                + " given again only when it is gone");
    }

    private static List<String> warnings(PoolText pool, NodeAddress... nodes) {
        return PoolWarnings.onCreate(pool, List.of(nodes), List.of());
    }

    private static NodeAddress node(String name, String address) {
        return new NodeAddress(name, Address.parse(address));
    }

    private static PoolText pool(String name, String... ipv4) {
        return pool(
                name,
                Stream.of(ipv4).map(text -> new SubnetText(text, null)).toArray(SubnetText[]::new));
    }

    private static PoolText pool(String name, SubnetText... subnets) {
        return new PoolText(name, 0, List.of(subnets), Map.of());
    }
}
