package io.coil.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** {@code collect}: starts a collection, and waits for its end if that is wanted. */
final class Collect {
    static final String HELP =
            """
            Usage: ./coil collect [options]

              --dry-run      plan only: finds, and changes nothing
              --apply PLAN   does what a plan of the last 30 minutes lists, as far as it is still true
              --node N       only on this node; may be repeated, or N1,N2
              --pool P       only in this pool; may be repeated
              --block B      only this block; may be repeated
              --reason R     why; others read it later
              --wait         waits for its end, and says what was found and done
              -o FORMAT      table (default), json or name

              Without --dry-run it collects at once; several of --node, --pool, --block: all must match.
            """;

    private static final Set<String> VALUES =
            Set.of("--apply", "--node", "--pool", "--block", "--reason", "-o");
    private static final Set<String> FLAGS = Set.of("--dry-run", "--wait");
    private static final Duration POLL = Duration.ofMillis(250);

    /** A run has its own deadline, well below this; then a controller is missing. */
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final Rest rest;
    private final Terminal terminal;
    private final Output output;

    private Collect(Rest rest, Terminal terminal, Output output) {
        this.rest = rest;
        this.terminal = terminal;
        this.output = output;
    }

    static Set<String> values() {
        return VALUES;
    }

    static Set<String> flags() {
        return FLAGS;
    }

    static void check(Arguments arguments) throws Failure {
        if (!arguments.words().isEmpty()) {
            throw Failure.wrongUse(
                    "%s stands alone: is an option missing before it?"
                            .formatted(arguments.words().getFirst()));
        }
        if (Output.of(arguments.value("-o")) == Output.CSV) {
            throw Failure.wrongUse("-o csv is for lists: there are table, json and name");
        }
        boolean applies = arguments.value("--apply") != null;
        boolean names =
                !arguments.all("--node").isEmpty()
                        || !arguments.all("--pool").isEmpty()
                        || !arguments.all("--block").isEmpty();
        if (applies && (names || arguments.has("--dry-run"))) {
            throw Failure.wrongUse(
                    "--apply does what the plan lists: leave out --dry-run, --node, --pool, --block");
        }
    }

    static Exit run(Arguments arguments, Rest rest, Terminal terminal)
            throws Failure, InterruptedException {
        Collect collect = new Collect(rest, terminal, Output.of(arguments.value("-o")));
        JsonObject started =
                rest.post("api/v1/collections", body(arguments), UUID.randomUUID().toString())
                        .json();
        String name = started.get("name").getAsString();
        if (arguments.has("--wait")) {
            return collect.follow(name);
        }
        if (collect.output == Output.JSON) {
            terminal.out().println(Get.PRETTY.toJson(started));
        } else {
            terminal.out().println(name);
        }
        if (collect.output == Output.TABLE) {
            terminal.err().println("Asked for. How it goes: ./coil get collections " + name);
        }
        return Exit.DONE;
    }

    private static JsonObject body(Arguments arguments) {
        JsonObject body = new JsonObject();
        body.add("nodes", names(arguments.all("--node")));
        body.add("pools", names(arguments.all("--pool")));
        body.add("blocks", names(arguments.all("--block")));
        String plan = arguments.value("--apply");
        if (plan != null) {
            body.addProperty("plan", plan);
        }
        body.addProperty("dryRun", arguments.has("--dry-run"));
        String reason = arguments.value("--reason");
        body.addProperty("reason", reason == null ? "from the command line" : reason);
        return body;
    }

    private static JsonArray names(List<String> names) {
        JsonArray array = new JsonArray();
        names.forEach(array::add);
        return array;
    }

    private Exit follow(String name) throws Failure, InterruptedException {
        Instant begin = Instant.now();
        while (true) {
            JsonObject answer = rest.get("api/v1/collections/" + name, "application/json").json();
            JsonObject run = answer.getAsJsonObject("collection");
            String phase = run.get("phase").getAsString();
            Duration passed = Duration.between(begin, Instant.now());
            if (phase.equals("completed") || phase.equals("failed")) {
                terminal.endOfProgress();
                return end(name, answer, run, phase);
            }
            terminal.progress(
                    "%s: %s for %s, %d of %d nodes have answered, %d found, %d done"
                            .formatted(
                                    name,
                                    phase,
                                    Cells.span(passed),
                                    size(run, "expected") - size(run, "unanswered"),
                                    size(run, "expected"),
                                    run.get("found").getAsLong(),
                                    run.get("done").getAsLong()));
            if (passed.compareTo(LONGEST) > 0) {
                terminal.endOfProgress();
                throw new Failure(
                        Exit.NOT_DONE,
                        "%s is still %s after %s: does a controller lead?"
                                .formatted(name, phase, Cells.span(passed)));
            }
            Thread.sleep(POLL);
        }
    }

    private Exit end(String name, JsonObject answer, JsonObject run, String phase) {
        if (output == Output.JSON) {
            terminal.out().println(Get.PRETTY.toJson(answer));
        } else if (output == Output.NAME) {
            terminal.out().println(name);
        } else {
            items(answer);
            terminal.out().println(summary(name, run, phase, answer.get("rest").getAsLong()));
        }
        boolean whole =
                phase.equals("completed")
                        && run.get("failed").getAsLong() == 0
                        && size(run, "unanswered") == 0;
        return whole ? Exit.DONE : Exit.NOT_DONE;
    }

    private void items(JsonObject answer) {
        Instant asOf = Instant.parse(answer.get("asOf").getAsString());
        String[] fields = {"outcome", "rule", "name", "node", "pool", "evidence"};
        Table table =
                new Table(
                        List.of("OUTCOME", "RULE", "NAME", "NODE", "POOL", "EVIDENCE").stream()
                                .map(title -> new Table.Column(title, false))
                                .toList());
        JsonArray items = answer.getAsJsonArray("items");
        for (JsonElement item : items) {
            table.row(
                    List.of(fields).stream()
                            .map(f -> Cells.of(item.getAsJsonObject(), f, asOf))
                            .toList());
        }
        if (!items.isEmpty()) {
            table.print(terminal.out());
        }
    }

    private static String summary(String name, JsonObject run, String phase, long rest) {
        StringBuilder text = new StringBuilder();
        text.append(
                "%s: %s, %d found, %d done, %d kept, %d failed"
                        .formatted(
                                name,
                                phase,
                                run.get("found").getAsLong(),
                                run.get("done").getAsLong(),
                                run.get("kept").getAsLong(),
                                run.get("failed").getAsLong()));
        if (rest > 0) {
            text.append(", %d of them not listed".formatted(rest));
        }
        if (size(run, "unanswered") > 0) {
            text.append("; no answer from ");
            JsonArray silent = run.getAsJsonArray("unanswered");
            for (int i = 0; i < silent.size(); i++) {
                text.append(i == 0 ? "" : ", ").append(silent.get(i).getAsString());
            }
        }
        JsonElement message = run.get("message");
        if (message != null && !message.isJsonNull()) {
            text.append(". ").append(message.getAsString());
        }
        return text.toString();
    }

    private static int size(JsonObject run, String list) {
        JsonElement value = run.get(list);
        return value != null && value.isJsonArray() ? value.getAsJsonArray().size() : 0;
    }
}
