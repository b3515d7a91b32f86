package io.coil.simulation.mutant;

import static io.coil.simulation.mutant.Mutant.Expected.CAUGHT;
import static io.coil.simulation.mutant.Mutant.Expected.PLAYED;
import static io.coil.simulation.mutant.Place.call;
import static io.coil.simulation.mutant.Rewriting.in;

import java.util.List;

/** Controllers that read a point of the protocol loosely: each loses something. */
final class ControllerMutants {
    static final List<Rewriting> CHOOSES_ANOTHER =
            List.of(
                    in("controller.grant.Granter", "finish")
                            .at(call("Granter.fail"))
                            .before("ControllerHooks.chooseAnother"),
                    in("controller.grant.Granter", "at")
                            .at(call("Granter.fail"))
                            .before("ControllerHooks.chooseAnother"));

    static final Rewriting NOTE_VIEW =
            in("controller.LeaderDuty", "onLeading")
                    .at(call("ClusterView.follow"))
                    .after("ControllerHooks.noteView");

    private static final String BATCH = "controller.garbage.OrphanBatch";

    private ControllerMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant(
                        "h01-orphan-by-uid",
                        CAUGHT,
                        "F_NAME",
                        "an orphan is a block whose node's UID is gone, though a Node of that name is"
                                + " there",
                        byUid()),
                new Mutant(
                        "h02-orphan-race",
                        CAUGHT,
                        "F_REREAD",
                        "the controller reads the Node before the DELETE only",
                        List.of(
                                in(BATCH, "run")
                                        .one(call("OrphanBatch.nodeExists"), 2, 2)
                                        .answer(false))),
                new Mutant(
                        "h09-pool-cached",
                        CAUGHT,
                        "F_PGLIVE",
                        "the pool's finalizer goes after a cached list of its blocks",
                        List.of(
                                NOTE_VIEW,
                                in("controller.pool.PoolGuard", "hasBlocks")
                                        .at(call("KubeApi.list"))
                                        .instead("ControllerHooks.listFromView"))),
                new Mutant(
                        "h09b-pool-by-name",
                        CAUGHT,
                        "F_PGUID",
                        "the pool's finalizer goes by name",
                        List.of(
                                in("controller.pool.PoolGuard", "at")
                                        .at(call("FinalizerOff.of"))
                                        .instead("ControllerHooks.finalizerByName"))),
                new Mutant(
                        "h13-full-by-itself",
                        CAUGHT,
                        "F_INTENT",
                        "\"out of blocks\" is judged before the intent is finished",
                        List.of(
                                in("core.grant.GrantDecision", "decide")
                                        .at(call("GrantDecision.finish"))
                                        .after("ControllerHooks.exhaustedFirst"))),
                new Mutant(
                        "h13b-chosen-anew",
                        CAUGHT,
                        "F_INTENT",
                        "the next leader chooses an index anew",
                        List.of(
                                in("core.grant.GrantDecision", "decide")
                                        .at(call("RequestView.intent"))
                                        .answer(null))),
                new Mutant(
                        "h14-index-taken",
                        CAUGHT,
                        "F_ONCE",
                        "an index that is another's is replaced by a new intent",
                        CHOOSES_ANOTHER),
                new Mutant(
                        "h19-slow-collector",
                        PLAYED,
                        "SHORT",
                        "any time may lie between the controller's two looks at the Node",
                        List.of(
                                in("core.garbage.Orphans", "nodeReadAgain")
                                        .at(call("Duration.toNanos"))
                                        .answer(Long.MAX_VALUE),
                                in("core.garbage.Orphans", "look")
                                        .at(call("Duration.toNanos"))
                                        .answer(Long.MAX_VALUE),
                                in("controller.LeaderChanges", "node")
                                        .at(call("OrphanBlocks.nodeCame"))
                                        .skip())));
    }

    private static List<Rewriting> byUid() {
        return List.of(
                in("controller.grant.Asked", "request")
                        .at(call("Meta.uid"))
                        .after("OrphanHooks.madeFor"),
                in("controller.LeaderChanges", "block").at(call("ClusterView.node")).answer(null),
                in("controller.garbage.OrphanBlocks", "toCore")
                        .at(call("SeenBlock.uid"))
                        .after("OrphanHooks.granted"),
                in("controller.garbage.OrphanBlocks", "look")
                        .at(call("ClusterView.node"))
                        .after("OrphanHooks.seen"),
                in("controller.garbage.OrphanBlocks", "look")
                        .at(call("Orphans.look"))
                        .instead("OrphanHooks.look"),
                in(BATCH, "nodeExists").at(call("KubeApi.get")).after("OrphanHooks.read"),
                in(BATCH, "begin").at(call("Orphans.nodeRead")).instead("OrphanHooks.nodeRead"),
                in(BATCH, "end")
                        .at(call("Orphans.nodeReadAgain"))
                        .instead("OrphanHooks.nodeReadAgain"));
    }
}
