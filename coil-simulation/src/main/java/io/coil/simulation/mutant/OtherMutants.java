package io.coil.simulation.mutant;

import static io.coil.simulation.mutant.AgentMutants.both;
import static io.coil.simulation.mutant.Mutant.Expected.CAUGHT;
import static io.coil.simulation.mutant.Mutant.Expected.HARMLESS;
import static io.coil.simulation.mutant.Mutant.Expected.UNDECIDED;
import static io.coil.simulation.mutant.Place.call;
import static io.coil.simulation.mutant.Place.read;
import static io.coil.simulation.mutant.Rewriting.in;

import java.util.List;

/** Mistakes that one makes without a model, whether or not something else catches them. */
final class OtherMutants {
    private static final Rewriting.In WITH = in("agent.hold.SharedHoldings", "with");
    private static final Rewriting.In CHANGE = in("agent.hold.SharedHoldings", "change");

    private OtherMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant(
                        "x01-last-writer-wins",
                        UNDECIDED,
                        null,
                        "the intent is recorded whatever has become of the request meanwhile",
                        List.of(
                                in("controller.grant.Granter", "at")
                                        .at(call("KubeApi.replaceStatus"))
                                        .instead("ControllerHooks.lastWriterWins"))),
                new Mutant(
                        "x02-deleted-on-time-out",
                        HARMLESS,
                        null,
                        "an ADD that times out deletes the request, by name",
                        List.of(
                                in("agent.request.PoolAsker", "step")
                                        .at(call("Demand.exists"))
                                        .answer(false),
                                in("agent.request.PoolAsker", "live")
                                        .at(call("Preconditions.of"))
                                        .instead("AgentHooks.none"))),
                new Mutant(
                        "x03-no-live-read",
                        UNDECIDED,
                        null,
                        "an agent knows of blocks what the watch shows, and nothing else",
                        List.of(
                                in("agent.block.Adoption", "look")
                                        .at(call("KubeApi.get"))
                                        .instead("ReadHooks.shownOnly"))),
                new Mutant(
                        "x04-adopted-unseen",
                        UNDECIDED,
                        null,
                        "a block is adopted whatever is said against it",
                        both(
                                AgentMutants.NO_LOOK_AT_POOLS,
                                List.of(AgentMutants.NOT_LOOKED_WHETHER_DELETED))),
                new Mutant(
                        "x05-no-lock",
                        CAUGHT,
                        null,
                        "two ADDs may choose an address at the same time",
                        List.of(
                                WITH.at(call("ReentrantLock.lock")).skip(),
                                WITH.each(call("ReentrantLock.unlock"), 2).skip(),
                                CHANGE.at(call("ReentrantLock.lock")).skip(),
                                CHANGE.each(call("ReentrantLock.unlock"), 2).skip(),
                                in("agent.cni.Addresses", "attempt")
                                        .at(call("SharedHoldings.with"))
                                        .before("AgentHooks.noteTime"),
                                in("core.holdings.HeldBlock", "take")
                                        .at(call("BlockAllocator.takeNext"))
                                        .instead("AgentHooks.race"))),
                new Mutant(
                        "x06-one-look",
                        HARMLESS,
                        null,
                        "an address is collected after one look at its link",
                        List.of(
                                in("agent.collect.ContainerLook", "vanished")
                                        .at(call("Duration.compareTo"))
                                        .answer(0))),
                new Mutant(
                        "x07-route-stays",
                        CAUGHT,
                        null,
                        "a block is returned and its route is not withdrawn before",
                        List.of(
                                in("agent.block.Returns", "oneTry")
                                        .at(call("Routes.withdraw"))
                                        .skip())),
                new Mutant(
                        "x08-no-grace",
                        CAUGHT,
                        null,
                        "an orphan has no grace",
                        List.of(
                                in("core.garbage.Orphans", "<init>")
                                        .at(call("Duration.toNanos"))
                                        .answer(0L))),
                new Mutant(
                        "x09-ledger-cached",
                        UNDECIDED,
                        null,
                        "the ledger is rebuilt from what the watch shows",
                        List.of(
                                ControllerMutants.NOTE_VIEW,
                                in("controller.grant.LiveBlocks", "read")
                                        .at(call("Ledger.listed"))
                                        .instead("ControllerHooks.listedFromView"))));
    }

    static List<Mutant> harmless() {
        List<Rewriting> takeBack =
                List.of(
                        in("core.holdings.BlockReturns", "keep")
                                .at(read("HeldBlock.state"))
                                .after("AgentHooks.returningUntilAccepted"),
                        in("agent.block.Returns", "delete")
                                .at(call("KubeApi.delete"))
                                .after("AgentHooks.accepted"),
                        in("agent.block.Returns", "oneTry")
                                .at(call("Meta.beingDeleted"))
                                .after("AgentHooks.acceptedIfSeen"));
        List<Rewriting> withdraw =
                List.of(
                        in("agent.request.OwnRequest", "delete")
                                .at(call("Stale.notFound"))
                                .answer(true));
        List<Rewriting> vanished =
                List.of(
                        in("agent.request.PoolAsker", "live")
                                .at(call("Optional.isEmpty"))
                                .instead("AgentHooks.vanished"),
                        in("agent.request.PoolAsker", "live")
                                .at(call("BlockRequest.open"))
                                .after("AgentHooks.awaits"),
                        in("agent.request.PoolAsker", "live")
                                .at(call("OwnRequest.create"))
                                .after("AgentHooks.awaitsMade"));
        List<Rewriting> oldFailed =
                List.of(
                        in("agent.request.PoolAsker", "live")
                                .at(call("String.equals"))
                                .answer(true));
        return List.of(
                new Mutant(
                        "n1-take-back",
                        HARMLESS,
                        "F_TAKEBACK",
                        "a block is taken back until its DELETE is known to be accepted",
                        takeBack),
                new Mutant(
                        "n2-withdraw",
                        HARMLESS,
                        "F_WITHDRAW",
                        "a conflict on withdrawing is taken for a grant, and the request forgotten",
                        withdraw),
                new Mutant(
                        "n3-withdraw-uid",
                        HARMLESS,
                        "F_WRV",
                        "withdrawing has the UID as precondition only",
                        List.of(
                                in("agent.request.PoolAsker", "live")
                                        .at(call("Preconditions.of"))
                                        .instead("AgentHooks.uidOnly"))),
                new Mutant(
                        "n4-vanished",
                        HARMLESS,
                        "F_GONE",
                        "an ADD whose request has vanished waits until it times out",
                        vanished),
                new Mutant(
                        "n5-old-failed",
                        HARMLESS,
                        "F_OLDFAILED",
                        "an ADD that finds an old failed request fails with its reason",
                        oldFailed),
                new Mutant(
                        "n6-stray-eager",
                        HARMLESS,
                        "STRAYEAGER",
                        "complete requests count as stray at once",
                        List.of(
                                in("controller.garbage.StrayRequests", "look")
                                        .each(call("BlockRequest.open"), 2)
                                        .after("ControllerHooks.noteRequest"),
                                in("controller.garbage.StrayRequests", "look")
                                        .at(call("StrayRequest.decide"))
                                        .instead("ControllerHooks.decideEagerly"),
                                in("controller.garbage.StrayRequests", "lookIn")
                                        .at(call("Duration.minus"))
                                        .instead("ControllerHooks.atOnce"))),
                new Mutant(
                        "n7-index-again",
                        HARMLESS,
                        "F_ONCE",
                        "as h14, and one request may have two blocks",
                        ControllerMutants.CHOOSES_ANOTHER),
                new Mutant(
                        "n8-all-of-these",
                        HARMLESS,
                        null,
                        "n1, n2, n4, n5 and n7 together",
                        both(
                                both(both(takeBack, withdraw), both(vanished, oldFailed)),
                                ControllerMutants.CHOOSES_ANOTHER)));
    }
}
