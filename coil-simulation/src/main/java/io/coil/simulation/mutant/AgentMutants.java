package io.coil.simulation.mutant;

import static io.coil.simulation.mutant.Mutant.Expected.CAUGHT;
import static io.coil.simulation.mutant.Mutant.Expected.PLAYED;
import static io.coil.simulation.mutant.Place.call;
import static io.coil.simulation.mutant.Rewriting.in;

import java.util.ArrayList;
import java.util.List;

/** Agents that read a point of the protocol loosely: each loses something. */
final class AgentMutants {
    private static final Rewriting.In LOOK = in("agent.block.Adoption", "look");
    private static final Rewriting.In FACTS = in("agent.block.Adoption", "facts");
    private static final Rewriting.In REBUILD = in("agent.start.Rebuild", "once");

    /** Nobody looks at a request that nobody waits for: a second line of defence less. */
    private static final List<Rewriting> FORGETFUL =
            List.of(
                    in("agent.request.Asker", "requestsChanged")
                            .at(call("Asker.task"))
                            .before("AgentHooks.nobodyWaits"),
                    in("agent.request.Asker", "adoptRequests")
                            .at(call("Asker.task"))
                            .before("AgentHooks.nobodyWaits"),
                    in("agent.request.PoolAsker", "lookForForgotten")
                            .at(call("Function.apply"))
                            .answer(null));

    static final List<Rewriting> NO_STRAY_COMPLETE =
            List.of(
                    in("controller.garbage.StrayRequests", "look")
                            .each(call("BlockRequest.open"), 2)
                            .instead("ControllerHooks.openOrComplete"));

    static final List<Rewriting> NO_STRAY_FAILED =
            List.of(
                    in("controller.garbage.StrayRequests", "look")
                            .each(call("BlockRequest.open"), 2)
                            .instead("ControllerHooks.openOrFailed"));

    static final List<Rewriting> NO_LOOK_AT_POOLS =
            List.of(
                    FACTS.at(call("KubeApi.get")).instead("ReadHooks.somePool"),
                    FACTS.at(call("String.equals")).answer(true),
                    FACTS.one(call("Meta.beingDeleted"), 2, 2).answer(false),
                    in("core.holdings.HeldBlock", "isOf").at(call("String.equals")).answer(true));

    static final Rewriting NOT_LOOKED_WHETHER_DELETED =
            FACTS.one(call("Meta.beingDeleted"), 1, 2).answer(false);

    private AgentMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant(
                        "h03-adopt-watch",
                        CAUGHT,
                        "F_LIVE_ADOPT",
                        "a block is adopted from what the watch shows",
                        List.of(LOOK.at(call("KubeApi.get")).instead("ReadHooks.shownOrLive"))),
                new Mutant(
                        "h04-start-cached",
                        CAUGHT,
                        "F_LIVE_LIST",
                        "a starting agent lists its blocks from a cache",
                        List.of(
                                in("agent.block.BlockSync$Hint", "of")
                                        .one(call("AddressBlock.metadata"), 1, 3)
                                        .after("ReadHooks.cache"),
                                REBUILD.at(call("KubeApi.list")).instead("ReadHooks.listFromCache"),
                                REBUILD.at(call("Adoption.look")).instead("ReadHooks.lookAtListed"),
                                LOOK.at(call("KubeApi.get")).instead("ReadHooks.listedOrLive"))),
                new Mutant(
                        "h05-gone-cached",
                        CAUGHT,
                        "F_LIVE_GONE",
                        "a block that the watch does not show is taken for gone",
                        List.of(
                                in("agent.block.BlockSync", "look")
                                        .at(call("Adoption.look"))
                                        .instead("ReadHooks.lookIfShown"),
                                LOOK.at(call("KubeApi.get")).instead("ReadHooks.liveIfShown"))),
                new Mutant(
                        "h06-being-deleted",
                        CAUGHT,
                        "F_DT",
                        "a block that is being deleted is adopted like any other",
                        List.of(NOT_LOOKED_WHETHER_DELETED)),
                new Mutant(
                        "h07-finalizer-name",
                        CAUGHT,
                        "F_FINUID",
                        "an agent takes the finalizer off by name",
                        List.of(
                                in("agent.block.Returns", "takeFinalizerOff")
                                        .at(call("Preconditions.of"))
                                        .instead("AgentHooks.none"))),
                new Mutant(
                        "h08-pool-gone",
                        CAUGHT,
                        "F_POOLUID",
                        "adopting and giving do not look at the pool that a block is of",
                        NO_LOOK_AT_POOLS),
                new Mutant(
                        "h10-return-retry",
                        CAUGHT,
                        "F_RETRYGET",
                        "a return is tried again with the version once read",
                        List.of(
                                in("agent.block.Returns", "oneTry")
                                        .at(call("KubeApi.get"))
                                        .instead("ReadHooks.readOnce"),
                                in("agent.block.Returns", "delete")
                                        .at(call("KubeApi.delete"))
                                        .after("ReadHooks.readAgain"))),
                new Mutant(
                        "h11-spare-pool",
                        PLAYED,
                        "F_SPARE0",
                        "spares are kept of a pool that is being deleted",
                        List.of(
                                in("core.holdings.SurplusRule", "look")
                                        .at(call("SurplusRule.endingFor"))
                                        .after("AgentHooks.endsBesidesSpares"),
                                in("core.holdings.SurplusRule", "look")
                                        .at(call("PoolTerms.spares"))
                                        .instead("AgentHooks.allSpares"))),
                new Mutant(
                        "h12-failed-stays",
                        CAUGHT,
                        "F_STRAYFAILED",
                        "failed requests do not count as stray, and an agent looks at none that nobody"
                                + " waits for",
                        both(NO_STRAY_FAILED, FORGETFUL)),
                new Mutant(
                        "h12b-complete-stays",
                        CAUGHT,
                        "F_STRAYDONE",
                        "complete requests do not count as stray, and an agent looks at none that"
                                + " nobody waits for",
                        both(NO_STRAY_COMPLETE, FORGETFUL)),
                new Mutant(
                        "h15-no-linger",
                        PLAYED,
                        "F_HOLD",
                        "an empty block goes back while the pod that it was asked for waits",
                        List.of(
                                in("core.holdings.SurplusRule", "dueAt")
                                        .at(call("Demand.exists"))
                                        .answer(false))),
                new Mutant(
                        "h16-node-uid",
                        PLAYED,
                        "F_NODEUID",
                        "requests are owned by the Node as it was when the agent started",
                        List.of(
                                in("agent.start.Rebuild", "checkMachine")
                                        .at(call("KubeApi.get"))
                                        .after("ReadHooks.rememberNode"),
                                in("agent.request.OwnRequest", "create")
                                        .at(call("KubeApi.get"))
                                        .instead("ReadHooks.nodeOfTheStart"))),
                new Mutant(
                        "h17-two-agents",
                        CAUGHT,
                        "DOUBLE",
                        "a second agent may start while the first one lives",
                        List.of(
                                in("agent.Lifecycle", "start")
                                        .at(call("Kernel.claim"))
                                        .instead("AgentHooks.claimNothing"))),
                new Mutant(
                        "h18-check-fails",
                        CAUGHT,
                        "F_CHECKFAIL",
                        "a complete request whose block has gone is left, and complete requests do not"
                                + " count as stray",
                        both(
                                List.of(
                                        in("agent.request.PoolAsker", "fetch")
                                                .at(call("Adoption.look"))
                                                .after("AgentHooks.leftIfNotOurs")),
                                NO_STRAY_COMPLETE)));
    }

    static List<Rewriting> both(List<Rewriting> some, List<Rewriting> others) {
        List<Rewriting> all = new ArrayList<>(some);
        all.addAll(others);
        return List.copyOf(all);
    }
}
