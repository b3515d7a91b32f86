package io.coil.testing;

import static org.awaitility.Awaitility.await;

import io.coil.apiserver.json.Json;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Makes a server that several tests use one after the other as it was at its start. */
final class Sweep {
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final String COIL = "/apis/coil.cybozu.com/v2/";
    private static final String OPS = "/apis/ops.coil.io/v1alpha1/";
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";
    private static final String WEBHOOKS = "/apis/admissionregistration.k8s.io/v1/";
    private static final Set<String> SYSTEM =
            Set.of("default", "kube-system", "kube-public", "kube-node-lease");

    /** Webhooks first: they would be asked about the rest, and nobody answers any more. */
    private static final List<String> ALL_OF =
            List.of(
                    WEBHOOKS + "mutatingwebhookconfigurations",
                    WEBHOOKS + "validatingwebhookconfigurations",
                    "/apis/apps/v1/daemonsets",
                    "/apis/apps/v1/deployments",
                    "/apis/apps/v1/replicasets",
                    "/api/v1/pods",
                    COIL + "blockrequests",
                    COIL + "addressblocks",
                    COIL + "addresspools",
                    OPS + "garbagecollections",
                    OPS + "nodeblockusages",
                    "/api/v1/nodes",
                    "/api/v1/events");

    /** Where only what a test has made goes. */
    private static final List<String> OURS_OF =
            List.of(
                    "/apis/coordination.k8s.io/v1/leases",
                    "/api/v1/services",
                    "/api/v1/secrets",
                    "/api/v1/serviceaccounts",
                    RBAC + "clusterroles",
                    RBAC + "clusterrolebindings",
                    RBAC + "roles",
                    RBAC + "rolebindings");

    private final AdminCalls calls;

    Sweep(AdminCalls calls) {
        this.calls = calls;
    }

    void run() {
        ALL_OF.forEach(path -> clear(path, object -> true));
        OURS_OF.forEach(path -> clear(path, Sweep::ours));
        clear("/api/v1/namespaces", object -> !SYSTEM.contains(name(object)));
    }

    private static boolean ours(ObjectNode object) {
        String name = name(object);
        return name.startsWith("coil")
                || name.equals("anna")
                || name.equals("olga")
                || name.startsWith("nora")
                || object.path("metadata").path("namespace").asString("").equals("kube-node-lease");
    }

    private void clear(String collection, Predicate<ObjectNode> which) {
        List<ObjectNode> objects = some(collection, which);
        if (objects.isEmpty()) {
            return;
        }
        objects.forEach(object -> remove(collection, object));
        await().atMost(LONGEST)
                .pollInterval(Duration.ofMillis(20))
                .until(
                        () -> {
                            List<ObjectNode> rest = some(collection, which);
                            rest.forEach(object -> remove(collection, object));
                            return rest.isEmpty();
                        });
    }

    private List<ObjectNode> some(String collection, Predicate<ObjectNode> which) {
        return calls.list(collection).stream().filter(which).toList();
    }

    private void remove(String collection, ObjectNode object) {
        String path = path(collection, object);
        if (!object.path("metadata").path("finalizers").isEmpty()) {
            calls.send(
                    "PATCH",
                    path,
                    "application/merge-patch+json",
                    "{\"metadata\":{\"finalizers\":null}}");
        }
        calls.send(
                "DELETE",
                path,
                "application/json",
                "{\"gracePeriodSeconds\":0,\"propagationPolicy\":\"Background\"}");
        if (collection.endsWith("/namespaces")) {
            ObjectNode finalized = object.deepCopy();
            ((ObjectNode) finalized.path("metadata")).remove("resourceVersion");
            finalized.set("spec", Json.object().set("finalizers", Json.array(List.of())));
            calls.send("PUT", path + "/finalize", "application/json", finalized.toString());
        }
    }

    private static String path(String collection, ObjectNode object) {
        String namespace = object.path("metadata").path("namespace").asString("");
        if (namespace.isEmpty()) {
            return collection + "/" + name(object);
        }
        int slash = collection.lastIndexOf('/');
        return "%s/namespaces/%s%s/%s"
                .formatted(
                        collection.substring(0, slash),
                        namespace,
                        collection.substring(slash),
                        name(object));
    }

    private static String name(ObjectNode object) {
        return object.path("metadata").path("name").asString();
    }
}
