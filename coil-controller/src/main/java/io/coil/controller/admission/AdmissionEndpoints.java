package io.coil.controller.admission;

import com.google.gson.JsonParseException;

import io.coil.controller.Controller;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.resource.Json;
import io.coil.kubernetes.time.Timeline;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import java.util.function.Function;

/** The paths of the webhook; the first two are Coil v2's. */
@RestController
public final class AdmissionEndpoints {
    private static final Logger LOG = LoggerFactory.getLogger(AdmissionEndpoints.class);

    private final Controller controller;
    private final PoolAdmission pools;
    private final CollectionAdmission collections;
    private final BlockAdmission blocks;
    private final NodeAdmission nodes = new NodeAdmission();

    public AdmissionEndpoints(Controller controller, KubeApi api, Timeline timeline) {
        this.controller = controller;
        this.pools = new PoolAdmission(api, controller.view());
        this.collections = new CollectionAdmission(api, controller.view(), timeline);
        this.blocks = new BlockAdmission(api, controller.view());
    }

    @PostMapping("/mutate-coil-cybozu-com-v2-addresspool")
    ResponseEntity<String> mutatePool(@RequestBody String review) {
        return answer(review, pools::mutate);
    }

    @PostMapping("/validate-coil-cybozu-com-v2-addresspool")
    ResponseEntity<String> validatePool(@RequestBody String review) {
        return answer(review, pools::validate);
    }

    @PostMapping("/validate-coil-cybozu-com-v2-addressblock")
    ResponseEntity<String> validateBlock(@RequestBody String review) {
        return answer(review, blocks::validate);
    }

    @PostMapping("/validate-v1-node")
    ResponseEntity<String> validateNode(@RequestBody String review) {
        return answer(review, nodes::validate);
    }

    @PostMapping("/validate-ops-coil-io-v1alpha1-garbagecollection")
    ResponseEntity<String> validateCollection(@RequestBody String review) {
        return answer(review, collections::validate);
    }

    /** Not answering is what the API server's failure policy is for. */
    private ResponseEntity<String> answer(
            String text, Function<AdmissionReview.Request, AdmissionReview.Response> decide) {
        AdmissionReview review;
        try {
            review = Json.read(text, AdmissionReview.class);
        } catch (JsonParseException e) {
            return ResponseEntity.badRequest().body("no AdmissionReview: " + e.getMessage());
        }
        if (review == null || review.request() == null) {
            return ResponseEntity.badRequest().body("no AdmissionReview with a request");
        }
        if (!controller.view().synced()) {
            return ResponseEntity.status(503).body("the API has not been read completely yet");
        }
        AdmissionReview.Response response;
        try {
            response = decide.apply(review.request());
        } catch (ApiFailure e) {
            LOG.atWarn().addKeyValue("why", e.getMessage()).log("cannot judge now");
            return ResponseEntity.status(503).body("the API does not answer: " + e.getMessage());
        } catch (JsonParseException e) {
            return ResponseEntity.badRequest().body("the object cannot be read: " + e.getMessage());
        }
        return ResponseEntity.ok()
                .contentType(MediaType.APPLICATION_JSON)
                .body(Json.write(review.answered(response)));
    }
}
