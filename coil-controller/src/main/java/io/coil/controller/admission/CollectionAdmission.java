package io.coil.controller.admission;

import com.google.gson.JsonElement;

import io.coil.controller.run.Known;
import io.coil.controller.run.RunScope;
import io.coil.controller.view.ClusterView;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Json;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/** A collection of what does not exist, or of a plan that is none, is refused before it is made. */
final class CollectionAdmission {
    private final KubeApi api;
    private final Known known;
    private final Timeline timeline;

    CollectionAdmission(KubeApi api, ClusterView view, Timeline timeline) {
        this.api = api;
        this.known = new Known(api, view);
        this.timeline = timeline;
    }

    AdmissionReview.Response validate(AdmissionReview.Request request) {
        GarbageCollection run = run(request.object());
        if (run == null) {
            return AdmissionReview.Response.allowed(request.uid(), List.of());
        }
        GarbageCollection old = run(request.oldObject());
        String refusal = old == null ? ofNew(run) : ofChange(old, run);
        return refusal == null
                ? AdmissionReview.Response.allowed(request.uid(), List.of())
                : AdmissionReview.Response.refused(request.uid(), refusal);
    }

    private @Nullable String ofNew(GarbageCollection run) {
        String plan = run.spec() == null ? null : run.spec().plan();
        return RunScope.refusal(
                run,
                known,
                plan == null ? null : api.get(Kinds.COLLECTIONS, null, plan).orElse(null),
                timeline.now());
    }

    private static @Nullable String ofChange(GarbageCollection old, GarbageCollection now) {
        return Objects.equals(old.spec(), now.spec())
                ? null
                : "a collection cannot be changed once it is asked for: make a new one";
    }

    private static @Nullable GarbageCollection run(@Nullable JsonElement object) {
        return object == null || object.isJsonNull()
                ? null
                : Json.GSON.fromJson(object, GarbageCollection.class);
    }
}
