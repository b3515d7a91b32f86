package io.coil.agent.cni;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;

import io.coil.core.holdings.ContainerKey;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The configuration that the runtime hands to a plugin.
 *
 * @param version of the CNI protocol that the answer is to follow
 */
record NetworkConfiguration(String version, JsonObject json) {
    static final List<String> VERSIONS = List.of("0.3.1", "0.4.0", "1.0.0", "1.1.0");
    static final String NEWEST = "1.1.0";

    /** Of the specification, and of the first runtimes that sent it. */
    private static final List<String> VALID_ATTACHMENTS =
            List.of("cni.dev/valid-attachments", "cni.dev/attachments");

    static NetworkConfiguration parse(String text) {
        JsonElement parsed;
        try {
            parsed = JsonParser.parseString(text);
        } catch (JsonParseException e) {
            throw new CniFailure(
                    CniFailure.DECODING_FAILURE,
                    "the network configuration is no JSON: " + e.getMessage());
        }
        if (!parsed.isJsonObject()) {
            throw new CniFailure(
                    CniFailure.DECODING_FAILURE, "the network configuration is no JSON object");
        }
        JsonObject json = parsed.getAsJsonObject();
        JsonElement version = json.get("cniVersion");
        if (version == null || !version.isJsonPrimitive()) {
            throw new CniFailure(
                    CniFailure.INVALID_CONFIGURATION,
                    "the network configuration names no cniVersion");
        }
        return new NetworkConfiguration(version.getAsString(), json);
    }

    void requireSupported() {
        if (!VERSIONS.contains(version)) {
            throw new CniFailure(
                    CniFailure.INCOMPATIBLE_VERSION,
                    "cniVersion %s is not supported: one of %s is"
                            .formatted(version, String.join(", ", VERSIONS)));
        }
    }

    /**
     * The attachments that a GC is to leave alone; empty if the configuration has no such list,
     * which is not the same as an empty one.
     */
    Optional<Set<ContainerKey>> validAttachments() {
        Set<ContainerKey> valid = new LinkedHashSet<>();
        boolean listed = false;
        for (String name : VALID_ATTACHMENTS) {
            JsonElement list = json.get(name);
            if (list != null && !list.isJsonNull()) {
                listed = true;
                addAll(valid, name, list);
            }
        }
        return listed ? Optional.of(valid) : Optional.empty();
    }

    private static void addAll(Set<ContainerKey> valid, String name, JsonElement list) {
        try {
            for (JsonElement one : list.getAsJsonArray()) {
                JsonObject attachment = one.getAsJsonObject();
                valid.add(
                        new ContainerKey(
                                text(attachment, "containerID"), text(attachment, "ifname")));
            }
        } catch (IllegalStateException e) {
            throw new CniFailure(
                    CniFailure.INVALID_CONFIGURATION,
                    "%s is no list of attachments, each with containerID and ifname"
                            .formatted(name));
        }
    }

    private static String text(JsonObject attachment, String field) {
        JsonElement text = attachment.get(field);
        if (text == null || !text.isJsonPrimitive()) {
            throw new IllegalStateException("no " + field);
        }
        return text.getAsString();
    }
}
