package io.coil.admin.rest;

import io.coil.admin.access.Caller;
import io.coil.admin.act.ReleaseDesk;
import io.coil.admin.act.ReturnDesk;
import io.coil.admin.act.SwitchDesk;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;

import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What can be done with one block. */
@RestController
@RequestMapping(
        path = "/api/v1/blocks/{name}",
        consumes = "application/json",
        produces = "application/json")
@Tag(name = "Changing blocks")
class BlockChanges {
    private final ReturnDesk returns;
    private final ReleaseDesk releases;
    private final SwitchDesk switches;

    BlockChanges(ReturnDesk returns, ReleaseDesk releases, SwitchDesk switches) {
        this.returns = returns;
        this.releases = releases;
        this.switches = switches;
    }

    /**
     * The body of a return.
     *
     * @param uid of the block that you have seen; null: whichever has that name
     * @param reason why; required
     */
    record Return(
            @Nullable String uid,
            @Schema(example = "empty since Monday") @Nullable String reason) {}

    /**
     * The body of a release by force.
     *
     * @param confirm the block's name once more
     * @param fenced that the machine is off, or cut from the network: only you can know
     * @param uid of the block that you have seen; null: whichever has that name
     * @param reason why; required
     */
    record Release(
            @Schema(example = "default-97") @Nullable String confirm,
            @Nullable Boolean fenced,
            @Nullable String uid,
            @Schema(example = "rack-c-04 burnt down") @Nullable String reason) {}

    @Operation(
            summary = "Return an empty block: a collection that names it, and acts",
            description =
                    "202, and the Location of the collection that says what came of it. 409 if the"
                            + " block is in use, with the pods that use it, or cannot be collected;"
                            + " 200 with result \"gone\" if it has gone already. Needs the right to"
                            + " create garbagecollections.ops.coil.io.")
    @PostMapping("/return")
    ResponseEntity<Outcome> giveBack(
            Caller caller,
            @PathVariable String name,
            @RequestBody Return body,
            @RequestHeader(name = IdempotencyKey.HEADER, required = false) @Nullable String key)
            throws InterruptedException {
        IdempotencyKey.check(key);
        return Outcome.of(
                returns.giveBack(caller, name, body.uid(), Switch.said(body.reason()), key),
                path(name));
    }

    @Operation(
            summary = "Take a block from a machine that is dead while its Node object is there",
            description =
                    "Sets the annotation ops.coil.io/force and deletes the block. 409 if its node is"
                            + " Ready, or has been not Ready for less than the controller's node"
                            + " grace and is not marked as out of service. Needs the verb release on"
                            + " addressblocks.coil.cybozu.com, and patch and delete.")
    @PostMapping("/release")
    ResponseEntity<Outcome> release(
            Caller caller, @PathVariable String name, @RequestBody Release body)
            throws InterruptedException {
        return Outcome.of(
                releases.release(
                        caller,
                        new ReleaseDesk.Order(
                                name,
                                body.uid(),
                                Switch.said(body.confirm()),
                                Boolean.TRUE.equals(body.fenced()),
                                Switch.said(body.reason()))),
                path(name));
    }

    @Operation(
            summary = "Drain a block, or end that",
            description =
                    "It gives no new address, and goes back when it is empty. Needs the right to"
                            + " patch addressblocks.coil.cybozu.com.")
    @PostMapping("/drain")
    ResponseEntity<Outcome> drain(
            Caller caller, @PathVariable String name, @RequestBody Switch.Drain body)
            throws InterruptedException {
        return Outcome.of(
                switches.drainBlock(caller, name, body.wanted(), Switch.said(body.reason())),
                path(name));
    }

    private static String path(String name) {
        return "/api/v1/blocks/" + name;
    }
}
