package io.coil.core.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

class BlockAllocatorTest {

    @Test
    void I4_aFreedAddressComesLast() {
        // given four addresses, of which three are taken
        BlockAllocator block = new BlockAllocator(4);
        take(block, 0);
        take(block, 1);
        take(block, 2);

        // when they are freed in that order
        block.free(0);
        block.free(1);
        block.free(2);

        // then none comes again while one that has been free for longer is there
        take(block, 3);
        take(block, 0);
        take(block, 1);
    }

    @Test
    void aFullBlockGivesNothingUntilOneIsFreed() {
        BlockAllocator block = new BlockAllocator(2);
        take(block, 0);
        take(block, 1);
        assertThat(block.isFull()).isTrue();
        assertThat(block.take()).isEmpty();

        assertThat(block.free(0)).isTrue();
        assertThat(block.free(0)).isFalse();

        assertThat(block.isFull()).isFalse();
        take(block, 0);
    }

    @Test
    void afterARebuildTheSearchGoesOnBehindTheLastUsed() {
        BlockAllocator block = new BlockAllocator(8);

        assertThat(block.takeExact(5)).isTrue();
        assertThat(block.takeExact(2)).isTrue();
        assertThat(block.takeExact(2)).isFalse();

        take(block, 6);
        take(block, 7);
        take(block, 0);
    }

    @Test
    void aReservedAddressIsNeitherFreeNorUsed() {
        BlockAllocator block = new BlockAllocator(2);

        assertThat(block.reserve(0)).isTrue();

        assertThat(block.isEmpty()).isTrue();
        assertThat(block.used()).isZero();
        assertThat(block.isReserved(0)).isTrue();
        assertThat(block.isUsed(0)).isFalse();
        assertThat(block.free(0)).isFalse();
        assertThat(block.takeExact(0)).isFalse();
        take(block, 1);
        assertThat(block.isFull()).isTrue();
        assertThat(block.reserve(1)).isFalse();
        assertThat(block.unreserve(1)).isFalse();
        assertThat(block.bitmap()).containsExactly(2);

        assertThat(block.unreserve(0)).isTrue();
        take(block, 0);
    }

    @Test
    void theBitmapHasOneBitPerAddress() {
        BlockAllocator block = new BlockAllocator(256);
        block.takeExact(0);
        block.takeExact(9);
        block.takeExact(255);

        byte[] bitmap = block.bitmap();

        assertThat(bitmap).hasSize(32);
        assertThat(bitmap[0]).isEqualTo((byte) 1);
        assertThat(bitmap[1]).isEqualTo((byte) 2);
        assertThat(bitmap[31]).isEqualTo((byte) 0x80);
        assertThat(new BlockAllocator(1).bitmap()).hasSize(1);
        assertThat(new BlockAllocator(257).bitmap()).isEmpty();
    }

    @Test
    void aHugeBlockCostsWhatIsUsed() {
        BlockAllocator block = new BlockAllocator(Long.MAX_VALUE);
        long last = Long.MAX_VALUE - 1;

        assertThat(block.takeExact(last)).isTrue();
        for (int i = 0; i < 1_000_000; i++) {
            long offset = block.take().orElseThrow();
            assertThat(block.free(offset)).isTrue();
        }

        assertThat(block.chunks()).isLessThanOrEqualTo(BlockAllocator.KEPT_CHUNKS + 2);
        assertThat(block.isUsed(last)).isTrue();
        assertThat(block.used()).isEqualTo(1);
    }

    @Test
    void offsetsOutsideAreAMistakeOfTheCaller() {
        BlockAllocator block = new BlockAllocator(4);

        assertThatThrownBy(() -> block.takeExact(4)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> block.free(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> new BlockAllocator(0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    enum Verb {
        TAKE,
        EXACT,
        FREE,
        RESERVE,
        UNRESERVE
    }

    record Step(Verb verb, int argument) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        return net.jqwik.api.Combinators.combine(
                        Arbitraries.of(Verb.class), Arbitraries.integers().between(0, 9_999))
                .as(Step::new)
                .list()
                .ofMaxSize(200);
    }

    /** Capacities around the sizes of words and chunks. */
    @Provide
    Arbitrary<Integer> capacities() {
        return Arbitraries.oneOf(
                Arbitraries.integers().between(1, 20),
                Arbitraries.of(63, 64, 65, 128, 4095, 4096, 4097, 8192));
    }

    @Property
    void itDoesWhatASetDoes(
            @ForAll("capacities") int capacity,
            @ForAll("steps") List<Step> steps,
            @ForAll @IntRange(min = 0, max = 30) int warmUp) {
        BlockAllocator block = new BlockAllocator(capacity);
        TreeSet<Long> free = new TreeSet<>();
        for (long i = 0; i < capacity; i++) {
            free.add(i);
        }
        Set<Long> used = new TreeSet<>();
        Set<Long> reserved = new TreeSet<>();
        long cursor = 0;
        List<Step> all = new ArrayList<>();
        for (int i = 0; i < warmUp; i++) {
            all.add(new Step(Verb.TAKE, 0));
        }
        all.addAll(steps);

        for (Step step : all) {
            long offset = step.argument() % capacity;
            switch (step.verb()) {
                case TAKE -> {
                    Long expected = free.ceiling(cursor);
                    if (expected == null && !free.isEmpty()) {
                        expected = free.first();
                    }
                    OptionalLong taken = block.take();
                    if (expected == null) {
                        assertThat(taken).isEmpty();
                    } else {
                        assertThat(taken).hasValue(expected);
                        free.remove(expected);
                        used.add(expected);
                        cursor = (expected + 1) % capacity;
                    }
                }
                case EXACT -> {
                    boolean expected = free.remove(offset);
                    assertThat(block.takeExact(offset)).isEqualTo(expected);
                    if (expected) {
                        used.add(offset);
                        cursor = offset >= cursor ? (offset + 1) % capacity : cursor;
                    }
                }
                case FREE -> {
                    boolean expected = used.remove(offset);
                    assertThat(block.free(offset)).isEqualTo(expected);
                    if (expected) {
                        free.add(offset);
                    }
                }
                case RESERVE -> {
                    boolean expected = free.remove(offset);
                    assertThat(block.reserve(offset)).isEqualTo(expected);
                    if (expected) {
                        reserved.add(offset);
                    }
                }
                case UNRESERVE -> {
                    boolean expected = reserved.remove(offset);
                    assertThat(block.unreserve(offset)).isEqualTo(expected);
                    if (expected) {
                        free.add(offset);
                    }
                }
            }
            assertThat(block.used()).isEqualTo(used.size());
            assertThat(block.reserved()).isEqualTo(reserved.size());
            assertThat(block.isFull()).isEqualTo(free.isEmpty());
            assertThat(block.isEmpty()).isEqualTo(used.isEmpty());
        }
        List<Long> seen = new ArrayList<>();
        block.forEachUsed(seen::add);
        assertThat(seen).containsExactlyElementsOf(used);
    }

    private static void take(BlockAllocator block, long expected) {
        assertThat(block.take()).hasValue(expected);
    }
}
