package io.coil.apiserver.admission;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.Admission;
import io.coil.apiserver.lifecycle.ApiStatusException;
import io.coil.apiserver.patch.JsonPatch;
import io.coil.apiserver.resource.TypeKey;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.net.URI;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Asks the configured webhooks, one after the other. */
public final class WebhookAdmission implements Admission {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookAdmission.class);

    /** Reviews are told apart by a count; this only makes it look like the UUID it has to be. */
    private static final long REVIEW_IDS = 0x4000L;

    private final AtomicLong reviews = new AtomicLong(Long.MIN_VALUE);
    private final Webhooks webhooks;
    private final WebhookTransport transport;
    private final Function<ServiceReference, Optional<URI>> services;
    private final Function<String, JsonNode> namespaceLabels;

    /**
     * @param services where a Service's webhook is, its path included; empty: nowhere
     * @param namespaceLabels labels of a namespace by its name
     */
    public WebhookAdmission(
            Webhooks webhooks,
            WebhookTransport transport,
            Function<ServiceReference, Optional<URI>> services,
            Function<String, JsonNode> namespaceLabels) {
        this.webhooks = webhooks;
        this.transport = transport;
        this.services = services;
        this.namespaceLabels = namespaceLabels;
    }

    @Override
    public @Nullable ObjectNode mutate(Request request, ObjectNode object) {
        if (webhooks.none() || exempt(request)) {
            return null;
        }
        @Nullable ObjectNode changed = null;
        for (Webhook webhook : webhooks.mutating()) {
            ObjectNode current = changed == null ? object : changed;
            if (wants(webhook, request, current)) {
                @Nullable ObjectNode patched = patched(webhook, request, current);
                changed = patched == null ? changed : patched;
            }
        }
        return changed;
    }

    @Override
    public void validate(Request request, @Nullable ObjectNode object) {
        if (webhooks.none() || exempt(request)) {
            return;
        }
        if (request.operation() == Operation.DELETE) {
            askAll(webhooks.mutating(), request, object);
        }
        askAll(webhooks.validating(), request, object);
    }

    private void askAll(List<Webhook> list, Request request, @Nullable ObjectNode object) {
        for (Webhook webhook : list) {
            if (wants(webhook, request, object)) {
                ask(webhook, request, object);
            }
        }
    }

    /** So that nobody can lock himself out of repairing a configuration. */
    private static boolean exempt(Request request) {
        return Webhooks.isConfiguration(TypeKey.of(request.type()));
    }

    private boolean wants(Webhook webhook, Request request, @Nullable ObjectNode object) {
        if (webhook.rules().stream().noneMatch(r -> r.matches(request))) {
            return false;
        }
        boolean labelled =
                (object != null && webhook.objectLabels().test(labels(object)))
                        || (request.oldObject() != null
                                && webhook.objectLabels().test(labels(request.oldObject())));
        boolean isNamespace =
                request.type().group().isEmpty() && request.type().kind().equals("Namespace");
        boolean inNamespace =
                isNamespace
                        ? object == null || webhook.namespaceLabels().test(labels(object))
                        : request.namespace() == null
                                || webhook.namespaceLabels()
                                        .test(namespaceLabels.apply(request.namespace()));
        return labelled && inNamespace && concerns(webhook, request, object);
    }

    private static boolean concerns(Webhook webhook, Request request, @Nullable ObjectNode object) {
        if (webhook.matchConditions().isEmpty()) {
            return true;
        }
        try {
            ObjectNode variables = Json.object();
            variables.set("object", Review.orNull(object));
            variables.set("oldObject", Review.orNull(request.oldObject()));
            variables.set("request", Review.of(request, object, "").path("request"));
            return webhook.concerns(variables);
        } catch (MatchCondition.NoValue e) {
            if (webhook.ignoresFailure()) {
                return false;
            }
            throw new ApiStatusException(
                    403,
                    "Forbidden",
                    "webhook \"%s\": its matchConditions: %s"
                            .formatted(webhook.name(), e.getMessage()));
        }
    }

    private static JsonNode labels(JsonNode object) {
        return object.path("metadata").path("labels");
    }

    private @Nullable ObjectNode patched(Webhook webhook, Request request, ObjectNode object) {
        JsonNode response = ask(webhook, request, object);
        @Nullable String patch = Json.text(response, "patch");
        if (patch == null || patch.isEmpty()) {
            return null;
        }
        try {
            JsonNode operations = Json.MAPPER.readTree(Base64.getDecoder().decode(patch));
            if (JsonPatch.parse(operations).apply(object) instanceof ObjectNode changed) {
                return changed;
            }
            throw failed(webhook, "its patch leaves no object");
        } catch (IllegalArgumentException | JacksonException | ApiStatusException e) {
            throw failed(webhook, "its patch cannot be applied: " + e.getMessage());
        }
    }

    /** The webhook's response, an empty one when its failure is to be ignored. */
    private JsonNode ask(Webhook webhook, Request request, @Nullable ObjectNode object) {
        JsonNode response;
        try {
            response = response(webhook, request, object);
        } catch (IOException e) {
            if (!webhook.ignoresFailure()) {
                throw failed(webhook, String.valueOf(e.getMessage()));
            }
            LOG.atWarn()
                    .addKeyValue("webhook", webhook.name())
                    .addKeyValue("cause", e.toString())
                    .log("A webhook could not be asked, and its failure is ignored");
            return Json.object();
        }
        for (String warning : Json.texts(response.path("warnings"))) {
            request.warnings().add(warning);
        }
        if (!response.path("allowed").asBoolean(false)) {
            throw denied(webhook, response.path("status"));
        }
        return response;
    }

    private JsonNode response(Webhook webhook, Request request, @Nullable ObjectNode object)
            throws IOException {
        URI uri = where(webhook);
        String uid = new UUID(REVIEW_IDS, reviews.incrementAndGet()).toString();
        String body = Json.MAPPER.writeValueAsString(Review.of(request, object, uid));
        try {
            String answer =
                    transport.call(
                            new WebhookTransport.Call(
                                    uri,
                                    webhook.serverName(uri),
                                    webhook.caBundle(),
                                    body,
                                    webhook.timeout()));
            JsonNode response = Json.MAPPER.readTree(answer).path("response");
            if (!uid.equals(Json.text(response, "uid"))) {
                throw new IOException("expected response.uid=\"%s\"".formatted(uid));
            }
            return response;
        } catch (JacksonException e) {
            throw new IOException("its answer is no JSON", e);
        } catch (IOException e) {
            throw new IOException("Post \"%s\": %s".formatted(uri, e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private URI where(Webhook webhook) throws IOException {
        ServiceReference service = webhook.service();
        if (service != null) {
            return services.apply(service)
                    .orElseThrow(
                            () ->
                                    new IOException(
                                            "service \"%s\" not found".formatted(service.name())));
        }
        try {
            return URI.create(webhook.url() == null ? "" : webhook.url());
        } catch (IllegalArgumentException e) {
            throw new IOException("its URL is not valid: " + webhook.url(), e);
        }
    }

    private static ApiStatusException failed(Webhook webhook, String why) {
        return new ApiStatusException(
                500,
                "InternalError",
                "Internal error occurred: failed calling webhook \"%s\": failed to call webhook: %s"
                        .formatted(webhook.name(), why));
    }

    private static ApiStatusException denied(Webhook webhook, JsonNode status) {
        String denied = "admission webhook \"%s\" denied the request".formatted(webhook.name());
        String reason = status.path("reason").asString("");
        String message = status.path("message").asString(reason);
        int code = Math.max(400, status.path("code").asInt(0));
        return new ApiStatusException(
                code,
                reason.isEmpty() ? (code == 403 ? "Forbidden" : "BadRequest") : reason,
                message.isEmpty() ? denied + " without explanation" : denied + ": " + message);
    }
}
