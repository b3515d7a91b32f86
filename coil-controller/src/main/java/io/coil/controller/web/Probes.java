package io.coil.controller.web;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The paths that probes and scrapers of Coil v2 know. */
@RestController
public final class Probes {
    private final ControllerHealth health;
    private final PrometheusMeterRegistry meters;

    public Probes(ControllerHealth health, PrometheusMeterRegistry meters) {
        this.health = health;
        this.meters = meters;
    }

    /** That the process answers. Whether it sees the API is no reason to restart it. */
    @GetMapping({"/healthz", "/livez"})
    String alive() {
        return "ok";
    }

    @GetMapping("/readyz")
    ResponseEntity<String> ready() {
        String why = health.notReady();
        return why == null ? ResponseEntity.ok("ok") : ResponseEntity.status(503).body(why);
    }

    @GetMapping(value = "/metrics", produces = "text/plain; version=0.0.4; charset=utf-8")
    String metrics() {
        return meters.scrape();
    }
}
