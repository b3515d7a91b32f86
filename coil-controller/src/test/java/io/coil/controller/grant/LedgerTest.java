package io.coil.controller.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.controller.view.SeenBlock;
import io.coil.core.pool.BlockRange;

import org.junit.jupiter.api.Test;

import java.util.List;

/** The ledger stays true whatever order lists, the watch and our own writes come in. */
class LedgerTest {
    private final Ledger ledger = new Ledger();

    @Test
    void lateNewsOfABlockThatAListHasShownToBeGoneAreNoNews() {
        // given a block that we made, that was given back, and a list that shows so
        ledger.enter(block("u1"));
        ledger.listed(ledger.listingBegins(), "one", List.of());
        assertThat(ledger.count("one")).isZero();

        // when the watch, which is late, tells first of its making and then of its end
        ledger.seen(null, block("u1"));
        assertThat(ledger.count("one")).isZero();
        ledger.seen(block("u1"), null);

        // then another block of that name is told of as ever
        ledger.seen(null, block("u2"));
        assertThat(ledger.count("one")).isEqualTo(1);
    }

    @Test
    void aBlockThatIsReadLiveIsThereWhateverAListHasShown() {
        ledger.enter(block("u1"));
        ledger.listed(ledger.listingBegins(), "one", List.of());

        ledger.enter(block("u1"));

        assertThat(ledger.count("one")).isEqualTo(1);
        ledger.seen(null, block("u1"));
        assertThat(ledger.count("one")).isEqualTo(1);
    }

    @Test
    void aBlockThatIsEnteredWhileAListIsUnderWayStays() {
        Ledger.Listing listing = ledger.listingBegins();
        ledger.enter(block("u1"));

        ledger.listed(listing, "one", List.of());

        assertThat(ledger.count("one")).isEqualTo(1);
    }

    @Test
    void aBlockThatGoesWhileAListIsUnderWayIsNotBroughtBackByIt() {
        ledger.enter(block("u1"));
        Ledger.Listing listing = ledger.listingBegins();
        ledger.seen(block("u1"), null);

        ledger.listed(listing, "one", List.of(block("u1")));

        assertThat(ledger.count("one")).isZero();
    }

    private static SeenBlock block(String uid) {
        return new SeenBlock(
                "one-0",
                uid,
                "1",
                0,
                BlockRange.parse("10.2.0.0/32", null),
                "one",
                "n1",
                null,
                null,
                false,
                true,
                false,
                null);
    }
}
