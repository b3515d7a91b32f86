package io.coil.admin.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.core.pool.PoolText.SubnetText;

import org.junit.jupiter.api.Test;

class SubnetLinesTest {

    @Test
    void aLineIsAnEntryAndBothFamiliesBesideEachOtherAreOne() {
        assertThat(SubnetLines.read("10.0.0.0/24\r\n\r\n  10.0.1.0/24 + fd00::/120 \nfd01::/120"))
                .containsExactly(
                        new SubnetText("10.0.0.0/24", null),
                        new SubnetText("10.0.1.0/24", "fd00::/120"),
                        new SubnetText(null, "fd01::/120"));
    }

    @Test
    void twoOfOneFamilyInALineAreTwo() {
        assertThat(SubnetLines.read("10.0.0.0/24, 10.0.1.0/24"))
                .containsExactly(
                        new SubnetText("10.0.0.0/24", null), new SubnetText("10.0.1.0/24", null));
    }

    @Test
    void whatIsNoSubnetIsLeftToTheRules() {
        assertThat(SubnetLines.read("nonsense")).containsExactly(new SubnetText("nonsense", null));
        assertThat(SubnetLines.read(" \n ")).isEmpty();
    }
}
