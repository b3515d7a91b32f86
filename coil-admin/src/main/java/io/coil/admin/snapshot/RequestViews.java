package io.coil.admin.snapshot;

import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Meta;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Block requests as they are shown. */
final class RequestViews {
    private RequestViews() {}

    static List<RequestView> of(Collection<BlockRequest> requests) {
        return requests.stream()
                .map(RequestViews::view)
                .sorted(Comparator.comparing(RequestView::name))
                .toList();
    }

    private static RequestView view(BlockRequest request) {
        RequestView.State state = state(request);
        BlockRequest.Condition answer =
                request.failed()
                        ? request.condition(BlockRequest.FAILED)
                        : request.condition(BlockRequest.COMPLETE);
        return new RequestView(
                Meta.name(request.metadata()),
                Meta.uid(request.metadata()),
                request.spec().nodeName(),
                request.spec().poolName(),
                state,
                request.intent(),
                answer == null ? null : answer.message(),
                Times.instant(request.metadata().getCreationTimestamp()),
                answer == null ? null : Times.instant(answer.lastTransitionTime()));
    }

    private static RequestView.State state(BlockRequest request) {
        if (request.open()) {
            return RequestView.State.OPEN;
        }
        return request.failed() ? RequestView.State.FAILED : RequestView.State.COMPLETE;
    }
}
