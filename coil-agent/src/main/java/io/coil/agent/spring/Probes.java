package io.coil.agent.spring;

import io.coil.agent.Agent;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The probes of Coil v2: {@code /healthz} says that the process answers, {@code /readyz} that it
 * serves.
 */
@RestController
class Probes {
    private final Agent agent;

    Probes(Agent agent) {
        this.agent = agent;
    }

    @GetMapping(path = "/healthz", produces = "text/plain")
    String alive() {
        return "ok";
    }

    @GetMapping(path = "/readyz", produces = "text/plain")
    ResponseEntity<String> ready() {
        String why = agent.notServing();
        return why == null
                ? ResponseEntity.ok("ok")
                : ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE).body(why);
    }
}
