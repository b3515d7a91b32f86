package io.coil.sandbox.cluster;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/** How the plugin ended: its exit code and what it wrote to standard output. */
public record CniReply(int exitCode, String stdout) {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Code of the CNI specification: try again later. */
    public static final int TRY_AGAIN_LATER = 11;

    public static CniReply failure(int code, String message) {
        ObjectNode error = JSON.createObjectNode();
        error.put("cniVersion", "1.0.0").put("code", code).put("msg", message);
        return new CniReply(1, error.toString());
    }

    public boolean ok() {
        return exitCode == 0;
    }

    /** Addresses of the result, without their prefix length, IPv4 first as the plugin gave them. */
    public List<String> addresses() {
        List<String> addresses = new ArrayList<>();
        for (JsonNode ip : body().path("ips")) {
            String cidr = ip.path("address").asString("");
            int slash = cidr.indexOf('/');
            addresses.add(slash < 0 ? cidr : cidr.substring(0, slash));
        }
        return addresses;
    }

    /** The CNI error code; 0 if it did not say one. */
    public int code() {
        return body().path("code").asInt(0);
    }

    /** The error as a runtime shows it. */
    public String message() {
        JsonNode body = body();
        String message = body.path("msg").asString("");
        String details = body.path("details").asString("");
        if (message.isEmpty()) {
            return stdout.isBlank()
                    ? "the plugin ended with exit code " + exitCode
                    : stdout.strip();
        }
        return details.isEmpty() ? message : message + ": " + details;
    }

    private JsonNode body() {
        try {
            return JSON.readTree(stdout);
        } catch (JacksonException e) {
            return MissingNode.getInstance();
        }
    }
}
