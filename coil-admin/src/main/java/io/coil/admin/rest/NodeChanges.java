package io.coil.admin.rest;

import io.coil.admin.access.Caller;
import io.coil.admin.act.SwitchDesk;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What can be done with one node. */
@RestController
@RequestMapping(
        path = "/api/v1/nodes/{name}",
        consumes = "application/json",
        produces = "application/json")
@Tag(name = "Changing nodes")
class NodeChanges {
    private final SwitchDesk switches;

    NodeChanges(SwitchDesk switches) {
        this.switches = switches;
    }

    @Operation(
            summary = "Switch collection on a node",
            description =
                    "The strictest of what is said for everything, for the pool and for the node"
                            + " holds. Needs the right to patch nodes.")
    @PostMapping("/collection-mode")
    ResponseEntity<Outcome> collect(
            Caller caller, @PathVariable String name, @RequestBody Switch.Mode body)
            throws InterruptedException {
        return Outcome.of(
                switches.collectNode(caller, name, body.wanted(), Switch.said(body.reason())),
                "/api/v1/nodes/" + name);
    }
}
