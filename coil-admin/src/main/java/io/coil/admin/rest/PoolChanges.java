package io.coil.admin.rest;

import io.coil.admin.access.Caller;
import io.coil.admin.act.PoolDesk;
import io.coil.admin.act.PoolOrder;
import io.coil.admin.act.SwitchDesk;
import io.coil.core.pool.PoolText;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;

import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import java.util.List;

/** What can be done with pools. */
@RestController
@RequestMapping(path = "/api/v1/pools", produces = "application/json")
@Tag(name = "Changing pools")
class PoolChanges {
    private final PoolDesk pools;
    private final SwitchDesk switches;

    PoolChanges(PoolDesk pools, SwitchDesk switches) {
        this.pools = pools;
        this.switches = switches;
    }

    /** CIDR text of one family, or of both, which then share their blocks. */
    record Subnet(
            @Schema(example = "10.64.0.0/20") @Nullable String ipv4,
            @Schema(example = "2001:db8:64::/116") @Nullable String ipv6) {}

    /**
     * The body that makes a pool.
     *
     * @param blockSizeBits a block has 2^n addresses; null: 5
     * @param reason why; required, but for a dry run
     */
    record NewPool(
            @Schema(example = "default") @Nullable String name,
            @Schema(example = "5", minimum = "0", maximum = "16") @Nullable Integer blockSizeBits,
            @Nullable List<@Nullable Subnet> subnets,
            @Schema(example = "the first pool") @Nullable String reason) {}

    /**
     * The body that adds to a pool.
     *
     * @param subnets to be added at its end; what is there can never be changed or removed
     * @param reason why; required, but for a dry run
     */
    record Growth(
            @Nullable List<@Nullable Subnet> subnets,
            @Schema(example = "two more racks") @Nullable String reason) {}

    @Operation(
            summary = "Create a pool; with dryRun, say what it would be",
            description =
                    "A dry run answers 200 with the blocks that the pool would have, and what the"
                            + " rules of admission say. Without, 201 and its Location. The same"
                            + " Idempotency-Key never makes a second one. Needs the right to create"
                            + " addresspools.coil.cybozu.com.")
    @PostMapping(consumes = "application/json")
    ResponseEntity<?> create(
            Caller caller,
            @RequestBody NewPool body,
            @RequestParam(defaultValue = "false") boolean dryRun,
            @RequestHeader(name = IdempotencyKey.HEADER, required = false) @Nullable String key)
            throws InterruptedException {
        IdempotencyKey.check(key);
        PoolOrder order =
                new PoolOrder(
                        Switch.said(body.name()),
                        body.blockSizeBits() == null
                                ? PoolText.DEFAULT_BLOCK_SIZE_BITS
                                : body.blockSizeBits(),
                        texts(body.subnets()),
                        Switch.said(body.reason()),
                        key);
        return dryRun
                ? ResponseEntity.ok(Preview.of(pools.preview(order)))
                : Outcome.created(pools.create(caller, order), path(order.name()));
    }

    @Operation(
            summary = "Add subnets at the end of a pool; with dryRun, say what that would bring",
            description =
                    "What the pool has already is not added again: then the result is \"already\"."
                            + " Needs the right to patch addresspools.coil.cybozu.com.")
    @PostMapping(path = "/{name}/subnets", consumes = "application/json")
    ResponseEntity<?> grow(
            Caller caller,
            @PathVariable String name,
            @RequestBody Growth body,
            @RequestParam(defaultValue = "false") boolean dryRun)
            throws InterruptedException {
        List<PoolText.SubnetText> added = texts(body.subnets());
        return dryRun
                ? ResponseEntity.ok(Preview.of(pools.previewGrowth(name, added)))
                : Outcome.of(
                        pools.grow(caller, name, added, Switch.said(body.reason())), path(name));
    }

    @Operation(
            summary = "Drain a pool, or end that",
            description =
                    "It gives no block and no new address, and empties. Needs the right to patch"
                            + " addresspools.coil.cybozu.com.")
    @PostMapping(path = "/{name}/drain", consumes = "application/json")
    ResponseEntity<Outcome> drain(
            Caller caller, @PathVariable String name, @RequestBody Switch.Drain body)
            throws InterruptedException {
        return Outcome.of(
                switches.drainPool(caller, name, body.wanted(), Switch.said(body.reason())),
                path(name));
    }

    @Operation(
            summary = "Switch collection in a pool",
            description =
                    "The strictest of what is said for everything, for the pool and for the node"
                            + " holds. Needs the right to patch addresspools.coil.cybozu.com.")
    @PostMapping(path = "/{name}/collection-mode", consumes = "application/json")
    ResponseEntity<Outcome> collect(
            Caller caller, @PathVariable String name, @RequestBody Switch.Mode body)
            throws InterruptedException {
        return Outcome.of(
                switches.collectPool(caller, name, body.wanted(), Switch.said(body.reason())),
                path(name));
    }

    @Operation(
            summary = "Ask for the deletion of a pool",
            description =
                    "202 as long as blocks hold it, with who holds them in the message: it goes"
                            + " when the last has gone. 200 with result \"gone\" if it has. Needs the"
                            + " right to delete addresspools.coil.cybozu.com.")
    @DeleteMapping("/{name}")
    ResponseEntity<Outcome> delete(
            Caller caller,
            @PathVariable String name,
            @RequestParam(defaultValue = "") String reason,
            @RequestParam(required = false) @Nullable String uid)
            throws InterruptedException {
        return Outcome.of(pools.delete(caller, name, uid, null, reason), path(name));
    }

    private static List<PoolText.SubnetText> texts(@Nullable List<@Nullable Subnet> subnets) {
        if (subnets == null) {
            return List.of();
        }
        return subnets.stream()
                .map(
                        s ->
                                s == null
                                        ? new PoolText.SubnetText(null, null)
                                        : new PoolText.SubnetText(s.ipv4(), s.ipv6()))
                .toList();
    }

    private static String path(String name) {
        return "/api/v1/pools/" + name;
    }
}
