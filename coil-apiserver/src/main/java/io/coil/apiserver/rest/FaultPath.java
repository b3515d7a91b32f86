package io.coil.apiserver.rest;

import io.coil.apiserver.fault.FaultJson;
import io.coil.apiserver.fault.FaultRule;
import io.coil.apiserver.fault.Faults;
import io.coil.apiserver.http.ApiRequest;
import io.coil.apiserver.http.ApiResponse;
import io.coil.apiserver.http.JsonText;
import io.coil.apiserver.json.Json;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code /faults}: looks at, adds and removes faults over HTTP. */
final class FaultPath {
    static final String PATH = "/faults";

    private final Faults faults;

    FaultPath(Faults faults) {
        this.faults = faults;
    }

    static boolean covers(String path) {
        return path.equals(PATH) || path.startsWith(PATH + "/");
    }

    ApiResponse serve(ApiRequest request) {
        boolean one = request.path().length() > PATH.length() + 1;
        return switch (request.method() + (one ? " one" : "")) {
            case "GET" -> ApiResponse.json(200, list());
            case "POST" -> ApiResponse.json(201, add(request));
            case "DELETE" -> {
                faults.clear();
                yield ApiResponse.json(200, list());
            }
            case "DELETE one" -> {
                if (!faults.remove(request.path().substring(PATH.length() + 1))) {
                    throw Statuses.notFound();
                }
                yield ApiResponse.json(200, list());
            }
            default -> throw Statuses.methodNotAllowed();
        };
    }

    private ObjectNode add(ApiRequest request) {
        FaultRule rule = FaultJson.read(JsonText.object(request), faults.nextId());
        faults.add(rule);
        return FaultJson.write(new Faults.Shown(rule, 0));
    }

    private ObjectNode list() {
        ObjectNode list = Json.object();
        ArrayNode items = list.putArray("items");
        faults.list().forEach(shown -> items.add(FaultJson.write(shown)));
        return list;
    }
}
