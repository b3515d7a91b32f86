package io.coil.agent.cni;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;

import java.util.List;

/**
 * The configuration that the runtime hands to a plugin.
 *
 * @param version of the CNI protocol that the answer is to follow
 */
record NetworkConfiguration(String version, JsonObject json) {
    static final List<String> VERSIONS = List.of("0.3.1", "0.4.0", "1.0.0", "1.1.0");
    static final String NEWEST = "1.1.0";

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
}
