package io.coil.core.holdings;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.core.net.Address;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

class AssignmentTableTest {

    /** An even number puts, an odd one removes; few keys, so that they meet. */
    @Property
    void holdsWhatAMapHolds(
            @ForAll @Size(max = 400) List<@IntRange(min = 0, max = 199) Integer> steps) {
        AssignmentTable table = new AssignmentTable();
        Map<ContainerKey, Assignment> map = new HashMap<>();
        long now = 0;
        for (int step : steps) {
            ContainerKey key = new ContainerKey("c" + step / 2, "eth0");
            if (step % 2 == 0) {
                Assignment given = assignment(key, now++);
                table.put(given);
                map.put(key, given);
            } else {
                assertThat(table.remove(key)).isEqualTo(map.remove(key));
            }
            assertThat(table.get(key)).isEqualTo(map.get(key));
        }
        assertThat(table.all()).containsExactlyInAnyOrderElementsOf(map.values());
        map.forEach((key, given) -> assertThat(table.get(key)).isEqualTo(given));
    }

    private static Assignment assignment(ContainerKey key, long now) {
        return new Assignment(
                key,
                null,
                "default",
                "default-0",
                now,
                List.of(Address.parse("10.1.0.0")),
                now,
                true);
    }
}
