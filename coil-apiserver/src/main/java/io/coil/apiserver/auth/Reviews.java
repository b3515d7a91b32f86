package io.coil.apiserver.auth;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.ApiStatusException;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Optional;

/** Answers questions about who somebody is and what he may do; nothing of them is stored. */
public final class Reviews {
    private final Tokens tokens;
    private final Authorizer authorizer;

    public Reviews(Tokens tokens, Authorizer authorizer) {
        this.tokens = tokens;
        this.authorizer = authorizer;
    }

    /**
     * The review with its status filled in.
     *
     * @param plural the resource that was posted to
     */
    public ObjectNode review(
            String plural, ObjectNode body, @Nullable String namespace, Identity asker) {
        ObjectNode review = body.deepCopy();
        JsonNode spec = body.path("spec");
        ObjectNode status = Json.object();
        switch (plural) {
            case "tokenreviews" -> token(spec.path("token").asString(""), status);
            case "selfsubjectreviews" -> status.set("userInfo", userInfo(asker));
            case "selfsubjectrulesreviews" ->
                    rules(asker, spec.path("namespace").asString("default"), status);
            case "selfsubjectaccessreviews" -> access(spec, asker, namespace, status);
            case "subjectaccessreviews", "localsubjectaccessreviews" ->
                    access(spec, subject(spec), namespace, status);
            default ->
                    throw new ApiStatusException(
                            404, "NotFound", "the server could not find the requested resource");
        }
        if (!review.has("metadata")) {
            review.putObject("metadata").putNull("creationTimestamp");
        }
        review.set("status", status);
        return review;
    }

    /** A TokenRequest with a token of that service account; it does not expire. */
    public ObjectNode tokenRequest(String namespace, String account, ObjectNode body) {
        ObjectNode request = body.deepCopy();
        String name = Identity.SERVICE_ACCOUNT + namespace + ":" + account;
        Json.child(request, "status")
                .put("token", tokens.issue(Identity.of(name, List.of())))
                .put("expirationTimestamp", "9999-12-31T23:59:59Z");
        return request;
    }

    private void token(String token, ObjectNode status) {
        Optional<Identity> identity = tokens.verify(token);
        status.put("authenticated", identity.isPresent());
        identity.ifPresentOrElse(
                who -> status.set("user", userInfo(who)),
                () -> status.put("error", "invalid bearer token"));
    }

    private static ObjectNode userInfo(Identity who) {
        ObjectNode user = Json.object().put("username", who.name());
        who.groups().forEach(user.putArray("groups")::add);
        return user;
    }

    private static Identity subject(JsonNode spec) {
        List<String> groups =
                spec.path("groups").valueStream().map(group -> group.asString("")).toList();
        return new Identity(spec.path("user").asString(""), groups);
    }

    private void access(
            JsonNode spec, Identity who, @Nullable String namespace, ObjectNode status) {
        JsonNode resource = spec.path("resourceAttributes");
        Attributes asked =
                resource.isObject()
                        ? new Attributes(
                                who,
                                resource.path("verb").asString(""),
                                resource.path("group").asString(""),
                                resource.path("resource").asString(""),
                                orNull(resource.path("subresource").asString("")),
                                namespace != null
                                        ? namespace
                                        : orNull(resource.path("namespace").asString("")),
                                orNull(resource.path("name").asString("")),
                                null)
                        : Attributes.ofPath(
                                who,
                                spec.path("nonResourceAttributes").path("verb").asString(""),
                                spec.path("nonResourceAttributes").path("path").asString(""));
        boolean allowed = authorizer.allows(asked);
        status.put("allowed", allowed);
        if (!allowed) {
            status.put("reason", asked.refusal());
        }
    }

    private void rules(Identity who, String namespace, ObjectNode status) {
        var resourceRules = status.putArray("resourceRules");
        var pathRules = status.putArray("nonResourceRules");
        for (PolicyRule rule : authorizer.rulesFor(who, namespace)) {
            (rule.nonResourceUrls().isEmpty() ? resourceRules : pathRules).add(rule.toJson());
        }
        status.put("incomplete", false);
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
