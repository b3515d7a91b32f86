package io.coil.simulation.mutant;

import static io.coil.simulation.mutant.AgentMutants.both;
import static io.coil.simulation.mutant.Mutant.Expected.CAUGHT;
import static io.coil.simulation.mutant.Mutant.Expected.PLAYED;
import static io.coil.simulation.mutant.Place.call;
import static io.coil.simulation.mutant.Rewriting.in;

import java.util.List;

/** Mistakes that one makes without a model, whether or not something else catches them. */
final class OtherMutants {
    private static final Rewriting.In WITH = in("agent.hold.SharedHoldings", "with");
    private static final Rewriting.In CHANGE = in("agent.hold.SharedHoldings", "change");

    private static final Rewriting.In OBTAIN = in("agent.cni.Addresses", "obtain");

    private static final List<Rewriting> DELETED_ON_TIME_OUT =
            List.of(
                    OBTAIN.one(call("Addresses.attempt"), 2, 2).before("AgentHooks.notePool"),
                    OBTAIN.at(call("Duration.toMillis")).before("AgentHooks.deleteRequest"));

    private static final List<Rewriting> ASKED_ONLY =
            List.of(
                    in("agent.block.BlockSync", "differences")
                            .at(call("BlockSync.known"))
                            .after("AgentHooks.knownOrNotAskedFor"));

    static final List<Rewriting> STRAY_EAGER =
            List.of(
                    in("controller.garbage.StrayRequests", "look")
                            .each(call("BlockRequest.open"), 2)
                            .after("ControllerHooks.noteRequest"),
                    in("controller.garbage.StrayRequests", "look")
                            .at(call("StrayRequest.decide"))
                            .instead("ControllerHooks.decideEagerly"),
                    in("controller.garbage.StrayRequests", "lookIn")
                            .at(call("Duration.minus"))
                            .instead("ControllerHooks.atOnce"));

    private OtherMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant(
                        "x01-last-writer-wins",
                        CAUGHT,
                        null,
                        "the intent is recorded, by a write without a version, whatever has become of the request meanwhile",
                        List.of(
                                in("simulation.api.LineApi", "replaceStatus")
                                        .at(call("Server.replace"))
                                        .before("ControllerHooks.lastWriterWins"))),
                new Mutant(
                        "x02-deleted-on-time-out",
                        PLAYED,
                        null,
                        "an ADD that times out deletes the request, by name",
                        DELETED_ON_TIME_OUT),
                new Mutant(
                        "x02b-as-coil-v2",
                        CAUGHT,
                        null,
                        "x02 and x10 together, as in Coil v2",
                        both(DELETED_ON_TIME_OUT, ASKED_ONLY)),
                new Mutant(
                        "x03-no-live-read",
                        CAUGHT,
                        null,
                        "an agent knows of blocks what the watch shows, and nothing else",
                        List.of(
                                in("agent.block.Adoption", "look")
                                        .at(call("KubeApi.get"))
                                        .instead("ReadHooks.shownOnly"))),
                new Mutant(
                        "x04-adopted-unseen",
                        CAUGHT,
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
                        PLAYED,
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
                        PLAYED,
                        null,
                        "the ledger is rebuilt from what the watch shows",
                        List.of(
                                ControllerMutants.NOTE_VIEW,
                                in("controller.grant.LiveBlocks", "read")
                                        .at(call("Ledger.listed"))
                                        .instead("ControllerHooks.listedFromView"))),
                new Mutant(
                        "x10-asked-only",
                        CAUGHT,
                        null,
                        "an agent adopts the blocks of its requests, and no others",
                        ASKED_ONLY),
                new Mutant(
                        "x11-stray-eager-asked-only",
                        CAUGHT,
                        null,
                        "n6 and x10 together",
                        both(STRAY_EAGER, ASKED_ONLY)));
    }
}
