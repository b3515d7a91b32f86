package io.coil.admin.collect;

import io.coil.admin.access.Caller;
import io.coil.admin.problem.Problem;
import io.coil.admin.snapshot.Current;
import io.coil.admin.snapshot.RunViews;
import io.coil.admin.snapshot.SnapshotKeeper;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.time.Timeline;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Starts collections. With the caller's own token, so the API decides who may, and its audit log
 * says who did. All that is done here is creating one object; agents and controller do the rest.
 */
public final class CollectionDesk {
    private static final Logger LOG = LoggerFactory.getLogger(CollectionDesk.class);
    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";
    private static final List<String> SORTS = List.of("plan", "apply", "run");
    private static final Duration SHOWN = Duration.ofSeconds(2);

    private final SnapshotKeeper keeper;
    private final Timeline timeline;
    private final Function<String, KubeApi> apiFor;

    public CollectionDesk(
            SnapshotKeeper keeper, Timeline timeline, Function<String, KubeApi> apiFor) {
        this.keeper = keeper;
        this.timeline = timeline;
        this.apiFor = apiFor;
    }

    /**
     * Starts it and returns its name. Throws {@link io.coil.admin.problem.Refusal} if something is
     * wrong with the order, {@link ApiFailure} if the API does not take it; then nothing was
     * started, unless the failure is transient: ask again with the same key.
     */
    public String start(Caller caller, Order order) throws InterruptedException {
        Current current =
                keeper.current()
                        .filter(c -> !c.stale())
                        .orElseThrow(
                                () ->
                                        Problem.of(
                                                        HttpStatus.SERVICE_UNAVAILABLE,
                                                        "The Kubernetes API is not answering",
                                                        "Nothing has been done: nothing is decided on old data. Try again in a little.")
                                                .thrown());
        String name = name(caller, order);
        refuseOtherUse(name, current);
        // A repeated order must not be judged anew: its plan may be applied by now, by itself.
        if (!current.snapshot().runs().containsKey(name)) {
            check(order);
        }
        create(caller, resource(name, caller, order));
        boolean shown = keeper.await(s -> s.runs().containsKey(name), SHOWN);
        LOG.atInfo()
                .addKeyValue("collection", name)
                .addKeyValue("caller", caller.name())
                .addKeyValue("shown", shown)
                .log("collection asked for");
        return name;
    }

    /** What was made a moment ago may not be seen yet: it is given a moment. */
    private void check(Order order) throws InterruptedException {
        List<String> errors = new ArrayList<>(OrderRules.form(order));
        if (errors.isEmpty()) {
            keeper.await(s -> OrderRules.names(order, s, timeline.now()).isEmpty(), SHOWN);
        }
        keeper.current()
                .ifPresent(
                        c -> errors.addAll(OrderRules.names(order, c.snapshot(), timeline.now())));
        if (!errors.isEmpty()) {
            throw Problem.refused(errors).thrown();
        }
    }

    /** A key belongs to one order, also when the other one was of another sort. */
    private static void refuseOtherUse(String name, Current current) {
        String mark = name.substring(name.indexOf('-'));
        for (String sort : SORTS) {
            String other = sort + mark;
            if (!other.equals(name) && current.snapshot().runs().containsKey(other)) {
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

    private void create(Caller caller, GarbageCollection wanted) {
        KubeApi api = apiFor.apply(caller.token());
        try {
            api.create(Kinds.COLLECTIONS, wanted);
        } catch (ApiFailure.Stale e) {
            if (!e.alreadyExists() || !same(api, wanted)) {
                throw e;
            }
        } finally {
            close(api);
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
                new V1ObjectMeta().name(name).annotations(Map.of(RunViews.ASKED_BY, caller.name())),
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
        String sort = order.dryRun() ? "plan" : order.plan() != null ? "apply" : "run";
        return sort + "-" + (order.key() == null ? random() : digest(caller.name(), order.key()));
    }

    private String random() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 7; i++) {
            text.append(LETTERS.charAt(timeline.random().nextInt(LETTERS.length())));
        }
        return text.toString();
    }

    private static String digest(String caller, String key) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest((caller + "\0" + key).getBytes(StandardCharsets.UTF_8));
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 12; i++) {
                text.append(LETTERS.charAt((hash[i] & 0xff) % LETTERS.length()));
            }
            return text.toString();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static void close(KubeApi api) {
        if (api instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) {
                LOG.atDebug().setCause(e).log("connection not closed");
            }
        }
    }
}
