package io.coil.admin.rest;

import io.coil.admin.access.Caller;
import io.coil.admin.act.CollectionDesk;
import io.coil.admin.act.Order;
import io.coil.admin.problem.Problem;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import java.net.URI;
import java.util.List;

/** Collections are started. */
@RestController
@RequestMapping("/api/v1/collections")
@Tag(name = "Collecting")
class Starts {
    private final CollectionDesk desk;

    Starts(CollectionDesk desk) {
        this.desk = desk;
    }

    /**
     * The body.
     *
     * @param nodes names; none means all (the same for pools and blocks; all given must match)
     * @param dryRun find, and change nothing; true unless it is said, or a plan is applied
     * @param plan name of a finished dry run of the last 30 minutes to apply
     * @param reason why; required
     */
    record Body(
            @Nullable List<String> nodes,
            @Nullable List<String> pools,
            @Nullable List<String> blocks,
            @Nullable Boolean dryRun,
            @Nullable String plan,
            @Nullable String reason) {}

    record Started(String name, String href) {}

    @Operation(
            summary = "Start a collection, or plan one, which is the default",
            description =
                    "Answers 202 at once; how it goes is at the Location. The same Idempotency-Key"
                            + " never starts a second one. Needs the right to create"
                            + " garbagecollections.ops.coil.io.")
    @ApiResponse(responseCode = "202", description = "Accepted", useReturnTypeSchema = true)
    @PostMapping(consumes = "application/json", produces = "application/json")
    ResponseEntity<Started> start(
            Caller caller,
            @RequestBody Body body,
            @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String key)
            throws InterruptedException {
        IdempotencyKey.check(key);
        boolean applies = body.plan() != null && !body.plan().isBlank();
        String name =
                desk.start(
                        caller,
                        new Order(
                                orNone(body.nodes()),
                                orNone(body.pools()),
                                orNone(body.blocks()),
                                body.dryRun() == null ? !applies : body.dryRun(),
                                body.plan(),
                                body.reason() == null ? "" : body.reason(),
                                key));
        String href = "/api/v1/collections/" + name;
        return ResponseEntity.status(HttpStatus.ACCEPTED)
                .location(URI.create(href))
                .body(new Started(name, href));
    }

    private static List<String> orNone(@Nullable List<String> names) {
        if (names == null) {
            return List.of();
        }
        if (names.contains(null)) {
            throw Problem.refused(List.of("a name is null")).thrown();
        }
        return names;
    }
}
