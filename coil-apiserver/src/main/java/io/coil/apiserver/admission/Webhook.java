package io.coil.apiserver.admission;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.Admission;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Predicate;

/** One webhook of a Mutating- or ValidatingWebhookConfiguration. */
record Webhook(
        String name,
        @Nullable String url,
        @Nullable ServiceReference service,
        String caBundle,
        List<Rule> rules,
        Predicate<JsonNode> namespaceLabels,
        Predicate<JsonNode> objectLabels,
        JsonNode matchConditions,
        boolean ignoresFailure,
        Duration timeout) {

    /** Which requests a webhook wants to see; {@code *} is everything. */
    record Rule(
            List<String> operations,
            List<String> groups,
            List<String> versions,
            List<String> resources,
            String scope) {

        boolean matches(Admission.Request request) {
            var type = request.type();
            return has(operations, request.operation().name())
                    && has(groups, type.group())
                    && has(versions, type.version())
                    && resources.stream().anyMatch(r -> names(r, type.plural(), request))
                    && (scope.equals("*")
                            || scope.equals(type.namespaced() ? "Namespaced" : "Cluster"));
        }

        private static boolean has(List<String> list, String value) {
            return list.contains("*") || list.contains(value);
        }

        private static boolean names(String rule, String plural, Admission.Request request) {
            int slash = rule.indexOf('/');
            String resource = slash < 0 ? rule : rule.substring(0, slash);
            String subresource = slash < 0 ? "" : rule.substring(slash + 1);
            return (resource.equals("*") || resource.equals(plural))
                    && (subresource.equals("*") || subresource.equals(request.subresource()));
        }
    }

    /** The name that the webhook's certificate must be for. */
    String serverName(java.net.URI uri) {
        return service == null ? uri.getHost() : service.serverName();
    }

    /**
     * Whether all conditions hold, so that the webhook is asked at all.
     *
     * @param variables object, oldObject and request
     * @throws MatchCondition.NoValue if none is false, and one has no value
     */
    boolean concerns(ObjectNode variables) {
        MatchCondition.@Nullable NoValue failure = null;
        for (JsonNode condition : matchConditions) {
            try {
                boolean holds =
                        MatchCondition.parse(
                                        condition.path("name").asString(""),
                                        condition.path("expression").asString(""))
                                .holds(variables);
                if (!holds) {
                    return false;
                }
            } catch (MatchCondition.NoValue e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return true;
    }

    static List<Webhook> of(JsonNode configuration) {
        List<Webhook> webhooks = new ArrayList<>();
        for (JsonNode webhook : configuration.path("webhooks")) {
            webhooks.add(webhook(webhook));
        }
        return webhooks;
    }

    private static Webhook webhook(JsonNode webhook) {
        JsonNode client = webhook.path("clientConfig");
        return new Webhook(
                webhook.path("name").asString(""),
                Json.text(client, "url"),
                service(client.path("service")),
                pem(client.path("caBundle").asString("")),
                rules(webhook.path("rules")),
                Selectors.of(webhook.path("namespaceSelector")),
                Selectors.of(webhook.path("objectSelector")),
                webhook.path("matchConditions"),
                webhook.path("failurePolicy").asString("Fail").equals("Ignore"),
                Duration.ofSeconds(webhook.path("timeoutSeconds").asInt(10)));
    }

    private static String pem(String base64) {
        return new String(Base64.getMimeDecoder().decode(base64), StandardCharsets.US_ASCII);
    }

    private static @Nullable ServiceReference service(JsonNode service) {
        return service.isObject()
                ? new ServiceReference(
                        service.path("namespace").asString(""),
                        service.path("name").asString(""),
                        service.path("path").asString(""),
                        service.path("port").asInt(443))
                : null;
    }

    private static List<Rule> rules(JsonNode rules) {
        List<Rule> made = new ArrayList<>();
        for (JsonNode rule : rules) {
            made.add(
                    new Rule(
                            Json.texts(rule.path("operations")),
                            Json.texts(rule.path("apiGroups")),
                            Json.texts(rule.path("apiVersions")),
                            Json.texts(rule.path("resources")),
                            rule.path("scope").asString("*")));
        }
        return List.copyOf(made);
    }
}
