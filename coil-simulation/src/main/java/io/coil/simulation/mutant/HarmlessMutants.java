package io.coil.simulation.mutant;

import static io.coil.simulation.mutant.AgentMutants.both;
import static io.coil.simulation.mutant.Mutant.Expected.HARMLESS;
import static io.coil.simulation.mutant.Place.call;
import static io.coil.simulation.mutant.Place.read;
import static io.coil.simulation.mutant.Rewriting.in;

import java.util.List;

/** Points that may be read loosely, and nothing breaks; {@link Reasons} says why. */
final class HarmlessMutants {
    private HarmlessMutants() {}

    static List<Mutant> all() {
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
        List<Rewriting> twice =
                both(
                        ControllerMutants.CHOOSES_ANOTHER,
                        List.of(
                                in("simulation.check.Writes", "made")
                                        .one(call("Findings.violated"), 2, 2)
                                        .skip()));
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
                        OtherMutants.STRAY_EAGER),
                new Mutant(
                        "n7-index-again",
                        HARMLESS,
                        "F_ONCE",
                        "as h14, and one request may have two blocks",
                        twice),
                new Mutant(
                        "n8-all-of-these",
                        HARMLESS,
                        null,
                        "n1, n2, n4, n5 and n7 together",
                        both(both(both(takeBack, withdraw), both(vanished, oldFailed)), twice)));
    }
}
