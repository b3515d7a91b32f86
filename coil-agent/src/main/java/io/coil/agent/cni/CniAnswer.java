package io.coil.agent.cni;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import io.coil.agent.kernel.PodLink;
import io.coil.core.net.Address;

/** The JSON of answers (CNI specification, section 5). */
final class CniAnswer {
    private CniAnswer() {}

    /**
     * Interface 0 is the pod's, 1 the host's; each address belongs to 0; no gateways, no routes (as
     * Coil v2 answers).
     */
    static CniReply added(String version, PodLink link, String netns) {
        JsonObject result = new JsonObject();
        result.addProperty("cniVersion", version);
        JsonArray interfaces = new JsonArray();
        JsonObject inPod = new JsonObject();
        inPod.addProperty("name", link.key().ifname());
        inPod.addProperty("sandbox", netns);
        interfaces.add(inPod);
        JsonObject onHost = new JsonObject();
        onHost.addProperty("name", link.hostInterface());
        interfaces.add(onHost);
        result.add("interfaces", interfaces);
        JsonArray ips = new JsonArray();
        for (Address address : link.addresses()) {
            JsonObject ip = new JsonObject();
            if (version.startsWith("0.")) {
                ip.addProperty("version", address.family().bits() == 32 ? "4" : "6");
            }
            ip.addProperty("address", address + "/" + address.family().bits());
            ip.addProperty("interface", 0);
            ips.add(ip);
        }
        result.add("ips", ips);
        result.add("dns", new JsonObject());
        return new CniReply(0, result.toString());
    }

    static CniReply done() {
        return new CniReply(0, "");
    }

    static CniReply versions(String asked) {
        JsonObject answer = new JsonObject();
        answer.addProperty("cniVersion", asked);
        JsonArray supported = new JsonArray();
        NetworkConfiguration.VERSIONS.forEach(supported::add);
        answer.add("supportedVersions", supported);
        return new CniReply(0, answer.toString());
    }

    static CniReply failed(String version, CniFailure failure) {
        JsonObject answer = new JsonObject();
        answer.addProperty("cniVersion", version);
        answer.addProperty("code", failure.code());
        answer.addProperty("msg", failure.getMessage());
        return new CniReply(1, answer.toString());
    }
}
