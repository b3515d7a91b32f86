package io.coil.sandbox.check;

import io.coil.apiserver.ApiEndpoint;
import io.coil.apiserver.fault.Scope.Call;
import io.coil.apiserver.http.ApiResponse;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.resource.Names;
import io.kubernetes.client.openapi.models.V1Node;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Who gave which block back, as the API server served it: invariant 3. An agent is known by its
 * User-Agent, {@code coil-agent (n1)}; programs whose User-Agent names neither agent nor controller
 * are people.
 */
public final class GivenBack {
    private static final String AGENT = "agent (";
    private static final String CONTROLLER = "controller";

    /** A Node as young may have come between the controller's look and its DELETE. */
    private static final Duration YOUNG = Duration.ofSeconds(10);

    private static final JsonMapper JSON = JsonMapper.shared();

    private final KubeApi api;
    private final List<String> violations = new CopyOnWriteArrayList<>();

    /** {@code api}: as somebody who may read Nodes. */
    public GivenBack(ApiEndpoint server, KubeApi api) {
        this.api = api;
        server.requests().listen(this::served);
    }

    /** The User-Agent of a node's agent. */
    public static String agent(String program, String node) {
        return program + " (" + node + ")";
    }

    /** Sentences, since the beginning. */
    public List<String> violations() {
        return List.copyOf(violations);
    }

    private void served(Call call, ApiResponse.Whole answer) {
        if (!call.verb().equals("delete")
                || !call.resource().equals(Kinds.BLOCKS.plural())
                || answer.code() != 200) {
            return;
        }
        JsonNode block = JSON.readTree(answer.body());
        String node = block.path("metadata").path("labels").path(Names.NODE).asString("");
        if (node.isEmpty()) {
            return; // nobody's
        }
        String who = call.userAgent();
        int agent = who.indexOf(AGENT);
        if (agent >= 0) {
            if (!who.startsWith(node + ")", agent + AGENT.length())) {
                violations.add("%s gave block %s of %s back".formatted(who, call.name(), node));
            }
        } else if (who.contains(CONTROLLER) && isThere(node)) {
            violations.add(
                    "%s gave block %s of %s back, which is there"
                            .formatted(who, call.name(), node));
        }
    }

    private boolean isThere(String name) {
        V1Node node;
        try {
            node = api.get(Kinds.NODES, null, name).orElse(null);
        } catch (ApiFailure e) {
            return false; // a fault struck us too: nothing is proven
        }
        @Nullable OffsetDateTime since =
                node == null ? null : node.getMetadata().getCreationTimestamp();
        return since != null && since.plus(YOUNG).isBefore(OffsetDateTime.now(since.getOffset()));
    }
}
