package io.coil.admin.act;

import io.coil.admin.access.Caller;
import io.coil.admin.problem.Problem;
import io.coil.admin.snapshot.Snapshot;
import io.coil.admin.snapshot.SnapshotKeeper;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.time.Timeline;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Starts collections. With the caller's own token, so the API decides who may, and its audit log
 * says who did. All that is done here is creating one object; agents and controller do the rest.
 */
public final class CollectionDesk {
    private static final List<String> SORTS = List.of("plan", "apply", "run");

    private final Changes changes;
    private final SnapshotKeeper keeper;
    private final Timeline timeline;

    public CollectionDesk(Changes changes, SnapshotKeeper keeper, Timeline timeline) {
        this.changes = changes;
        this.keeper = keeper;
        this.timeline = timeline;
    }

    /**
     * Starts it and returns its name. Throws {@link io.coil.admin.problem.Refusal} if something is
     * wrong with the order, {@link ApiFailure} if the API does not take it; then nothing was
     * started, unless the failure is transient: ask again with the same key.
     */
    public String start(Caller caller, Order order) throws InterruptedException {
        String name = name(caller, order);
        Asked asked = new Asked(caller, sort(order), "collection", name, order.reason());
        Done done =
                changes.noted(
                        asked,
                        warnings -> {
                            begin(caller, order, name, warnings);
                            return new Done(
                                    Done.State.GOING, scope(order), name, List.copyOf(warnings));
                        });
        return Objects.requireNonNull(done.collection());
    }

    private static String scope(Order order) {
        return order.plan() != null
                ? "Applies the plan " + order.plan() + "."
                : "Nodes %s; pools %s; blocks %s."
                        .formatted(said(order.nodes()), said(order.pools()), said(order.blocks()));
    }

    private static String said(List<String> names) {
        return names.isEmpty() ? "all" : String.join(", ", names);
    }

    /** The run that this very order has started before; null if it has not, or has no key. */
    @Nullable String begun(Caller caller, Order order) {
        String name = order.key() == null ? null : name(caller, order);
        return name != null && changes.fresh().runs().containsKey(name) ? name : null;
    }

    /** The same without a note, for what notes it as something else. Returns its name. */
    String begin(Caller caller, Order order, List<String> warnings) throws InterruptedException {
        String name = name(caller, order);
        begin(caller, order, name, warnings);
        return name;
    }

    private void begin(Caller caller, Order order, String name, List<String> warnings)
            throws InterruptedException {
        Snapshot snapshot = changes.fresh();
        refuseOtherUse(name, snapshot);
        // A repeated order must not be judged anew: its plan may be applied by now, by itself.
        if (!snapshot.runs().containsKey(name)) {
            check(order);
        }
        GarbageCollection wanted = resource(name, caller, order);
        changes.as(caller, warnings, api -> create(api, wanted));
        boolean _ = changes.shown(s -> s.runs().containsKey(name));
    }

    /** What was made a moment ago may not be seen yet: it is given a moment. */
    private void check(Order order) throws InterruptedException {
        List<String> errors = new ArrayList<>(OrderRules.form(order));
        if (errors.isEmpty()) {
            boolean _ = changes.shown(s -> OrderRules.names(order, s, timeline.now()).isEmpty());
        }
        keeper.current()
                .ifPresent(
                        c -> errors.addAll(OrderRules.names(order, c.snapshot(), timeline.now())));
        if (!errors.isEmpty()) {
            throw Problem.refused(errors).thrown();
        }
    }

    /** A key belongs to one order, also when the other one was of another sort. */
    private static void refuseOtherUse(String name, Snapshot snapshot) {
        String mark = name.substring(name.indexOf('-'));
        for (String sort : SORTS) {
            String other = sort + mark;
            if (!other.equals(name) && snapshot.runs().containsKey(other)) {
                throw keyUsed().thrown();
            }
        }
    }

    private static Problem keyUsed() {
        return Problem.of(
                HttpStatus.CONFLICT,
                "That key has been used for something else",
                "An Idempotency-Key belongs to one order. Nothing has been done; take a new key for a new order.");
    }

    private static boolean create(KubeApi api, GarbageCollection wanted) {
        try {
            GarbageCollection _ = api.create(Kinds.COLLECTIONS, wanted);
            return true;
        } catch (ApiFailure.Stale e) {
            if (!e.alreadyExists() || !same(api, wanted)) {
                throw e;
            }
            return false;
        }
    }

    /** The same order, sent twice; another order under the same key is refused. */
    private static boolean same(KubeApi api, GarbageCollection wanted) {
        boolean same =
                api.get(Kinds.COLLECTIONS, null, Meta.name(wanted.metadata()))
                        .map(there -> normal(there).equals(normal(wanted)))
                        .orElse(false);
        if (!same) {
            throw keyUsed().thrown();
        }
        return true;
    }

    /** Absent, empty and false are the same, whatever the API makes of them. */
    private static List<Object> normal(GarbageCollection run) {
        GarbageCollection.Spec spec = run.spec();
        if (spec == null) {
            return List.of();
        }
        return List.of(
                Objects.requireNonNullElse(spec.nodes(), List.of()),
                Objects.requireNonNullElse(spec.pools(), List.of()),
                Objects.requireNonNullElse(spec.blocks(), List.of()),
                spec.planOnly(),
                Objects.requireNonNullElse(spec.plan(), ""),
                Objects.requireNonNullElse(spec.reason(), ""));
    }

    private static GarbageCollection resource(String name, Caller caller, Order order) {
        return new GarbageCollection(
                Names.OPS_API,
                Kinds.COLLECTIONS.kind(),
                new V1ObjectMeta().name(name).annotations(Map.of(Names.ASKED_BY, caller.name())),
                new GarbageCollection.Spec(
                        order.nodes(),
                        order.pools(),
                        order.blocks(),
                        order.dryRun(),
                        order.plan(),
                        order.reason()),
                null);
    }

    private String name(Caller caller, Order order) {
        return sort(order)
                + "-"
                + (order.key() == null
                        ? Keys.random(timeline.random())
                        : Keys.digest(caller, order.key()));
    }

    private static String sort(Order order) {
        return order.dryRun() ? "plan" : order.plan() != null ? "apply" : "run";
    }
}
