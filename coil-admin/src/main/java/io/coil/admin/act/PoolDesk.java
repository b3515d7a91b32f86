package io.coil.admin.act;

import io.coil.admin.access.Caller;
import io.coil.admin.problem.Problem;
import io.coil.admin.snapshot.PoolView;
import io.coil.admin.snapshot.Snapshot;
import io.coil.admin.snapshot.Spoken;
import io.coil.core.pool.PoolText;
import io.coil.core.pool.Violation;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Json;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Pools are made, grow at their end, and are deleted. */
public final class PoolDesk {
    private final Changes changes;

    public PoolDesk(Changes changes) {
        this.changes = changes;
    }

    /** What would come of it; nothing is written or noted. */
    public PoolPreview preview(PoolOrder order) {
        return PoolPreview.ofNew(order, changes.fresh());
    }

    /** What entries added to that pool would bring. */
    public PoolPreview previewGrowth(String name, List<PoolText.SubnetText> added) {
        Snapshot snapshot = changes.fresh();
        return PoolPreview.ofGrowth(pool(snapshot, name), added, snapshot);
    }

    /** Judged anew, and made. The same order with the same key makes one pool. */
    public Done create(Caller caller, PoolOrder order) throws InterruptedException {
        String name = order.name();
        return changes.noted(
                new Asked(caller, "create", "pool", name, order.reason()),
                warnings -> {
                    Snapshot snapshot = changes.fresh();
                    AddressPool wanted = resource(caller, order);
                    if (snapshot.pools().containsKey(name)
                            && changes.as(caller, warnings, api -> same(api, wanted))) {
                        return Done.of(Done.State.ALREADY, made(name));
                    }
                    refuse(PoolPreview.ofNew(order, snapshot).violations());
                    boolean created = changes.as(caller, warnings, api -> create(api, wanted));
                    boolean _ = changes.shown(s -> s.pools().containsKey(name));
                    return Done.of(created ? Done.State.DONE : Done.State.ALREADY, made(name));
                });
    }

    private static String made(String name) {
        return "Pool %s is there. Nodes get blocks of it when their pods need addresses."
                .formatted(name);
    }

    private static AddressPool resource(Caller caller, PoolOrder order) {
        Map<String, String> annotations = new HashMap<>();
        annotations.put(Names.ASKED_BY, caller.name());
        if (order.key() != null) {
            annotations.put(Names.ASKED_FOR, Keys.digest(caller, order.key()));
        }
        return new AddressPool(
                Names.COIL_API,
                Kinds.POOLS.kind(),
                new V1ObjectMeta().name(order.name()).annotations(annotations),
                new AddressPool.Spec(order.blockSizeBits(), subnets(order.subnets())),
                null);
    }

    private static List<AddressPool.Subnet> subnets(List<PoolText.SubnetText> texts) {
        return texts.stream().map(s -> new AddressPool.Subnet(s.ipv4(), s.ipv6())).toList();
    }

    private static boolean create(KubeApi api, AddressPool wanted) {
        try {
            AddressPool _ = api.create(Kinds.POOLS, wanted);
            return true;
        } catch (ApiFailure.Stale e) {
            if (!e.alreadyExists() || !same(api, wanted)) {
                throw e;
            }
            return false;
        }
    }

    /** Made by this very order before. */
    private static boolean same(KubeApi api, AddressPool wanted) {
        String key = Meta.annotation(wanted.metadata(), Names.ASKED_FOR);
        Optional<AddressPool> there =
                key == null
                        ? Optional.empty()
                        : api.get(Kinds.POOLS, null, Meta.name(wanted.metadata()))
                                .filter(
                                        p ->
                                                key.equals(
                                                        Meta.annotation(
                                                                p.metadata(), Names.ASKED_FOR)));
        if (there.isPresent()
                && !(there.get().toCore().subnets().equals(wanted.toCore().subnets())
                        && there.get().toCore().effectiveBlockSizeBits()
                                == wanted.toCore().effectiveBlockSizeBits())) {
            throw Problem.of(
                            HttpStatus.CONFLICT,
                            "That key has been used for something else",
                            "An Idempotency-Key belongs to one order. Nothing has been done; take a new key for a new order.")
                    .thrown();
        }
        return there.isPresent();
    }

    /** Entries at its end. Those that it has already are not added again. */
    public Done grow(Caller caller, String name, List<PoolText.SubnetText> added, String reason)
            throws InterruptedException {
        return changes.noted(
                new Asked(caller, "grow", "pool", name, reason),
                warnings -> {
                    Snapshot snapshot = changes.fresh();
                    PoolView pool = pool(snapshot, name);
                    if (pool.deleting() != null) {
                        throw Problem.of(
                                        HttpStatus.CONFLICT,
                                        "Pool %s is being deleted".formatted(name),
                                        "It gives no more blocks, however large it is. Nothing has been done.")
                                .thrown();
                    }
                    if (!added.isEmpty() && pool.text().subnets().containsAll(added)) {
                        return Done.of(
                                Done.State.ALREADY,
                                "Pool %s has these subnets already.".formatted(name));
                    }
                    PoolPreview preview = PoolPreview.ofGrowth(pool, added, snapshot);
                    refuse(preview.violations());
                    changes.as(caller, warnings, api -> add(api, pool, added));
                    int subnets = pool.text().subnets().size() + added.size();
                    boolean _ =
                            changes.shown(
                                    s ->
                                            s.pool(name)
                                                    .map(p -> p.text().subnets().size() >= subnets)
                                                    .orElse(true));
                    return Done.of(
                            Done.State.DONE,
                            "Pool %s has %s more blocks with %s addresses."
                                    .formatted(
                                            name,
                                            Spoken.number(preview.blocks()),
                                            Spoken.number(preview.addresses())));
                });
    }

    private static AddressPool add(KubeApi api, PoolView judged, List<PoolText.SubnetText> added) {
        try {
            return addOnce(api, judged, added);
        } catch (ApiFailure.Stale e) {
            // Sent twice, both at once: then the other one has done it.
            return api.get(Kinds.POOLS, null, judged.name())
                    .filter(p -> p.toCore().subnets().containsAll(added))
                    .orElseThrow(() -> e);
        }
    }

    /** A list cannot be added to by a merge patch: so the very version that was read is changed. */
    private static AddressPool addOnce(
            KubeApi api, PoolView judged, List<PoolText.SubnetText> added) {
        AddressPool live =
                api.get(Kinds.POOLS, null, judged.name())
                        .filter(p -> Meta.uid(p.metadata()).equals(judged.uid()))
                        .filter(p -> p.toCore().subnets().equals(judged.text().subnets()))
                        .orElseThrow(
                                () ->
                                        Problem.of(
                                                        HttpStatus.CONFLICT,
                                                        "The pool has changed meanwhile",
                                                        "Nothing has been done. Look at it again, and see whether the subnets are still wanted.")
                                                .thrown());
        List<AddressPool.Subnet> all = new ArrayList<>(subnets(live.toCore().subnets()));
        all.addAll(subnets(added));
        return api.patch(
                Kinds.POOLS,
                null,
                judged.name(),
                Preconditions.of(live.metadata()),
                Json.write(Map.of("spec", Map.of("subnets", all))));
    }

    /**
     * Asks for its deletion. It goes when its last block has gone.
     *
     * @param uid of the pool that the caller has seen; null: whichever has that name
     * @param confirm its name once more; null: the caller is a program, and has said it once
     */
    public Done delete(
            Caller caller,
            String name,
            @Nullable String uid,
            @Nullable String confirm,
            String reason)
            throws InterruptedException {
        return changes.noted(
                new Asked(caller, "delete", "pool", name, reason),
                warnings -> {
                    Snapshot snapshot = changes.fresh();
                    if (confirm != null && !confirm.strip().equals(name)) {
                        throw Problem.refused(
                                        List.of("to confirm, type the name of the pool, " + name))
                                .thrown();
                    }
                    Optional<PoolView> pool =
                            snapshot.pool(name).filter(p -> uid == null || uid.equals(p.uid()));
                    if (pool.isEmpty() && uid == null) {
                        throw Problem.notFound("pool", name).thrown();
                    }
                    if (pool.isEmpty()) {
                        return Done.of(Done.State.GONE, "Pool %s is gone.".formatted(name));
                    }
                    if (pool.get().deleting() == null) {
                        changes.as(caller, warnings, api -> delete(api, pool.get()));
                    }
                    return deleted(name, pool.get().uid());
                });
    }

    private static boolean delete(KubeApi api, PoolView pool) {
        try {
            Optional<AddressPool> _ =
                    api.delete(Kinds.POOLS, null, pool.name(), Preconditions.uid(pool.uid()));
            return true;
        } catch (ApiFailure.Stale e) {
            if (!e.notFound()) {
                throw e;
            }
            return false;
        }
    }

    /** Never "deleted" while it is there. */
    private Done deleted(String name, String uid) throws InterruptedException {
        boolean _ =
                changes.shown(
                        s ->
                                s.pool(name)
                                        .filter(p -> p.uid().equals(uid))
                                        .map(p -> p.deleting() != null && !p.blocks().isEmpty())
                                        .orElse(true));
        return changes.latest()
                .pool(name)
                .filter(p -> p.uid().equals(uid))
                .map(p -> Done.of(Done.State.GOING, Deletion.sentence(p)))
                .orElseGet(() -> Done.of(Done.State.GONE, "Pool %s is gone.".formatted(name)));
    }

    private static void refuse(List<Violation> violations) {
        if (!violations.isEmpty()) {
            throw Problem.refused(violations.stream().map(Violation::toString).toList()).thrown();
        }
    }

    private static PoolView pool(Snapshot snapshot, String name) {
        return snapshot.pool(name).orElseThrow(() -> Problem.notFound("pool", name).thrown());
    }
}
