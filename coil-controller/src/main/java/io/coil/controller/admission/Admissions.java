package io.coil.controller.admission;

import com.google.gson.JsonParseException;

import io.coil.controller.view.ClusterView;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.resource.Json;
import io.coil.kubernetes.time.Timeline;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Map;
import java.util.function.Function;

/**
 * What the webhook answers to a review, by the path that it was sent to; how reviews come is not
 * its matter. Works on every replica, leader or not.
 */
public final class Admissions {
    /** The first two paths are Coil v2's. */
    static final String MUTATE_POOL = "/mutate-coil-cybozu-com-v2-addresspool";

    static final String VALIDATE_POOL = "/validate-coil-cybozu-com-v2-addresspool";
    static final String VALIDATE_BLOCK = "/validate-coil-cybozu-com-v2-addressblock";
    static final String VALIDATE_NODE = "/validate-v1-node";
    static final String VALIDATE_COLLECTION = "/validate-ops-coil-io-v1alpha1-garbagecollection";

    private static final Logger LOG = LoggerFactory.getLogger(Admissions.class);

    private final ClusterView view;
    private final Map<String, Function<AdmissionReview.Request, AdmissionReview.Response>> byPath;

    /** Judges by what the view shows, and by live reads. */
    public Admissions(ClusterView view, KubeApi api, Timeline timeline) {
        this.view = view;
        PoolAdmission pools = new PoolAdmission(api, view);
        CollectionAdmission collections = new CollectionAdmission(api, view, timeline);
        BlockAdmission blocks = new BlockAdmission(api, view);
        NodeAdmission nodes = new NodeAdmission();
        this.byPath =
                Map.of(
                        MUTATE_POOL,
                        pools::mutate,
                        VALIDATE_POOL,
                        pools::validate,
                        VALIDATE_BLOCK,
                        blocks::validate,
                        VALIDATE_NODE,
                        nodes::validate,
                        VALIDATE_COLLECTION,
                        collections::validate);
    }

    /**
     * What is answered.
     *
     * @param status of HTTP; 200: the body is an AdmissionReview, else it says why there is none,
     *     and the API server's failure policy decides
     */
    public record Answer(int status, String body) {}

    /** Answers one AdmissionReview. */
    public Answer answer(String path, String text) {
        Function<AdmissionReview.Request, AdmissionReview.Response> decide = byPath.get(path);
        if (decide == null) {
            return new Answer(404, "nothing is reviewed at " + path);
        }
        AdmissionReview review;
        try {
            review = Json.read(text, AdmissionReview.class);
        } catch (JsonParseException e) {
            return new Answer(400, "no AdmissionReview: " + e.getMessage());
        }
        if (review == null || review.request() == null) {
            return new Answer(400, "no AdmissionReview with a request");
        }
        if (!view.synced()) {
            return new Answer(503, "the API has not been read completely yet");
        }
        try {
            AdmissionReview.Response response = decide.apply(review.request());
            return new Answer(200, Json.write(review.answered(response)));
        } catch (ApiFailure e) {
            LOG.atWarn().addKeyValue("why", e.getMessage()).log("cannot judge now");
            return new Answer(503, "the API does not answer: " + e.getMessage());
        } catch (JsonParseException e) {
            return new Answer(400, "the object cannot be read: " + e.getMessage());
        }
    }
}
