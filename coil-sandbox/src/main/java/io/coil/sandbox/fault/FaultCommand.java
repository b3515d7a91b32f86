package io.coil.sandbox.fault;

import io.coil.sandbox.CannotStart;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** {@code ./coil sandbox fault list | add | clear}. */
@Command(
        name = "fault",
        description = "What goes wrong on purpose in the running sandbox's API server.",
        mixinStandardHelpOptions = true)
public final class FaultCommand implements Runnable {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--state-dir",
            scope = ScopeType.INHERIT,
            description = "of the sandbox that runs")
    private Path stateDir = Path.of(".sandbox");

    /** Something to do with the faults of a running sandbox. */
    @FunctionalInterface
    private interface Action {
        void with(FaultClient client) throws CannotStart, InterruptedException;
    }

    @Override
    public void run() {
        spec.commandLine().usage(out());
    }

    @Command(description = "Shows the rules.", mixinStandardHelpOptions = true)
    int list() throws InterruptedException {
        return act(
                client -> {
                    JsonNode answer = client.list();
                    JsonNode rules = answer.isArray() ? answer : answer.path("items");
                    if (rules.isEmpty()) {
                        out().println("no faults");
                    }
                    rules.forEach(rule -> out().println(rule));
                });
    }

    @Command(
            description = "Adds a rule: which calls, and what goes wrong with them.",
            mixinStandardHelpOptions = true)
    int add(
            @Parameters(
                            paramLabel = "EFFECT",
                            description =
                                    "latency, conflict, expired, throttle, error, lost-reply,"
                                            + " lost-request, partition, watch-stall, watch-lag,"
                                            + " watch-end, stale-list")
                    String effect,
            @Option(names = "--id", description = "name of the rule") @Nullable String id,
            @Option(names = "--user", description = "calls of this user") @Nullable String user,
            @Option(
                            names = "--user-agent",
                            description = "calls of programs whose name contains this")
                    @Nullable String userAgent,
            @Option(
                            names = "--verb",
                            split = ",",
                            description = "get, list, watch, create, update, patch, delete")
                    @Nullable List<String> verbs,
            @Option(names = "--resource", description = "plural, e.g. addressblocks")
                    @Nullable String resource,
            @Option(names = "--name", description = "of the object") @Nullable String name,
            @Option(names = "--probability", description = "0 to 1") @Nullable Double probability,
            @Option(names = "--count", description = "how often at most") @Nullable Integer count,
            @Option(names = "--milliseconds", description = "of latency or watch-lag")
                    @Nullable Integer milliseconds,
            @Option(names = "--code", description = "of error") @Nullable Integer code,
            @Option(names = "--retry-after", description = "seconds, of throttle")
                    @Nullable Integer retryAfter,
            @Option(names = "--versions", description = "how old a stale-list is")
                    @Nullable Integer versions)
            throws InterruptedException {
        ObjectNode rule = JSON.createObjectNode();
        rule.put("effect", effect);
        put(rule, "id", id);
        put(rule, "user", user);
        put(rule, "userAgent", userAgent);
        put(rule, "resource", resource);
        put(rule, "name", name);
        if (verbs != null) {
            verbs.forEach(rule.putArray("verbs")::add);
        }
        if (probability != null) {
            rule.put("probability", probability);
        }
        put(rule, "count", count);
        put(rule, "milliseconds", milliseconds);
        put(rule, "code", code);
        put(rule, "retryAfterSeconds", retryAfter);
        put(rule, "versions", versions);
        return act(client -> out().println(client.add(rule)));
    }

    @Command(
            description = "Removes the rules that are named, or all.",
            mixinStandardHelpOptions = true)
    int clear(@Parameters(arity = "0..*", paramLabel = "ID") @Nullable List<String> ids)
            throws InterruptedException {
        return act(
                client -> {
                    if (ids == null || ids.isEmpty()) {
                        client.clear();
                    } else {
                        for (String id : ids) {
                            client.remove(id);
                        }
                    }
                });
    }

    private int act(Action action) throws InterruptedException {
        try {
            action.with(FaultClient.of(stateDir));
            out().flush();
            return 0;
        } catch (CannotStart e) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("coil: " + e.getMessage());
            err.flush();
            return 1;
        }
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private static void put(ObjectNode rule, String field, @Nullable String value) {
        if (value != null) {
            rule.put(field, value);
        }
    }

    private static void put(ObjectNode rule, String field, @Nullable Integer value) {
        if (value != null) {
            rule.put(field, value);
        }
    }
}
