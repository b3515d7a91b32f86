package io.coil.controller.grant;

import io.coil.core.grant.FailReason;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.time.Timeline;

import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;

/** A request with the status that it is to get. Any condition is final. */
final class Answers {
    private final Timeline timeline;

    Answers(Timeline timeline) {
        this.timeline = timeline;
    }

    static BlockRequest intends(BlockRequest request, String block) {
        return with(request, new BlockRequest.Status(block, List.of()));
    }

    BlockRequest complete(BlockRequest request, String block) {
        return with(
                request,
                new BlockRequest.Status(
                        block,
                        List.of(
                                condition(
                                        BlockRequest.COMPLETE,
                                        "Granted",
                                        "block " + block + " is there"))));
    }

    BlockRequest failed(BlockRequest request, FailReason reason, String message) {
        return with(
                request,
                new BlockRequest.Status(
                        request.intent(),
                        List.of(condition(BlockRequest.FAILED, reason.text(), message))));
    }

    private BlockRequest.Condition condition(String type, String reason, String message) {
        OffsetDateTime now = timeline.now().atOffset(ZoneOffset.UTC);
        return new BlockRequest.Condition(type, "True", reason, message, now, now);
    }

    private static BlockRequest with(BlockRequest request, BlockRequest.Status status) {
        return new BlockRequest(
                request.apiVersion(), request.kind(), request.metadata(), request.spec(), status);
    }
}
