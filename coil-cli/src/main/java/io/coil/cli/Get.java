package io.coil.cli;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import org.jspecify.annotations.Nullable;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** {@code get}: what there is. */
final class Get {
    static final String HELP =
            """
            Usage: ./coil get WHAT [NAME] [options]

              nodes          nodes, their agents, and how many blocks and addresses they hold
              pools          pools: blocks granted of those there are, addresses in use
              blocks         blocks: who holds them and how many of their addresses are in use
              requests       requests of nodes for blocks
              leaks          blocks that nobody uses and nobody will give back
              collections    collections that somebody asked for, newest first
              address A      who has an address

              With a NAME: that one alone.

              --pool P       only of this pool (nodes, blocks, requests, leaks)
              --node N       only of this node (blocks, requests, leaks)
              --state S      only in this state (all but leaks and address)
              --sort F       order by fields as JSON has them: -total.used,name
              -o FORMAT      table (default), json, csv or name
            """;

    static final Gson PRETTY =
            new GsonBuilder().setPrettyPrinting().serializeNulls().disableHtmlEscaping().create();
    private static final Set<String> VALUES = Set.of("-o", "--pool", "--node", "--state", "--sort");
    private static final int STALE_SECONDS = 40;

    private final Arguments arguments;
    private final Kind kind;
    private final @Nullable String name;
    private final Output output;
    private final Terminal terminal;

    private Get(Arguments arguments, Terminal terminal) throws Failure {
        this.arguments = arguments;
        this.terminal = terminal;
        List<String> words = arguments.words();
        if (words.isEmpty()) {
            throw Failure.wrongUse("say what: ./coil get nodes");
        }
        if (words.size() > 2) {
            throw Failure.wrongUse("%s is one word too many".formatted(words.get(2)));
        }
        this.kind = Kind.of(words.getFirst());
        this.name = words.size() > 1 ? words.get(1) : null;
        this.output = Output.of(arguments.value("-o"));
        if (kind == Kind.ADDRESS && name == null) {
            throw Failure.wrongUse("say which: ./coil get address 10.0.0.1");
        }
        if (name != null && (kind == Kind.LEAKS || kind == Kind.REQUESTS)) {
            throw Failure.wrongUse("%s are only listed: leave out %s".formatted(kind.word(), name));
        }
        for (String filter : List.of("--pool", "--node", "--state", "--sort")) {
            boolean fits =
                    name == null && (filter.equals("--sort") || kind.filters().contains(filter));
            if (arguments.value(filter) != null && !fits) {
                throw Failure.wrongUse("%s does not fit here".formatted(filter));
            }
        }
    }

    static Set<String> values() {
        return VALUES;
    }

    static Exit run(Arguments arguments, Rest rest, Terminal terminal)
            throws Failure, InterruptedException {
        Get get = new Get(arguments, terminal);
        if (get.name != null) {
            get.one(rest, get.name);
        } else if (get.output == Output.CSV) {
            get.csv(rest);
        } else {
            get.list(rest);
        }
        return Exit.DONE;
    }

    /** Reads the usage without asking anybody: what is wrong with it is said first. */
    static void check(Arguments arguments, Terminal terminal) throws Failure {
        new Get(arguments, terminal);
    }

    private void one(Rest rest, String wanted) throws Failure, InterruptedException {
        if (output == Output.CSV) {
            throw Failure.wrongUse("-o csv is for lists");
        }
        String path = "api/v1/" + kind.path() + "/" + encoded(wanted);
        JsonObject answer = rest.get(path, "application/json").json();
        if (output == Output.JSON) {
            terminal.out().println(PRETTY.toJson(answer));
            return;
        }
        JsonObject item = kind.wrapped() == null ? answer : answer.getAsJsonObject(kind.wrapped());
        JsonArray items = new JsonArray();
        items.add(item);
        table(answer, items);
    }

    private void list(Rest rest) throws Failure, InterruptedException {
        JsonObject answer = rest.get(query(), "application/json").json();
        JsonArray items = answer.getAsJsonArray("items");
        JsonElement next = answer.get("next");
        while (next != null && !next.isJsonNull()) {
            String more = query() + separator(query()) + "continue=" + next.getAsString();
            JsonObject part = rest.get(more, "application/json").json();
            items.addAll(part.getAsJsonArray("items"));
            next = part.get("next");
        }
        if (output == Output.JSON) {
            answer.remove("next");
            terminal.out().println(PRETTY.toJson(answer));
        } else {
            table(answer, items);
        }
    }

    /** As it comes, part by part; the header of the first part alone. */
    private void csv(Rest rest) throws Failure, InterruptedException {
        Rest.Answer part = rest.get(query(), "text/csv");
        terminal.out().print(part.body());
        while (part.link().isPresent()) {
            String link = part.link().get();
            String next = link.substring(link.indexOf('<') + 1, link.indexOf('>'));
            part = rest.get(next.substring(1), "text/csv");
            terminal.out().print(part.body().substring(part.body().indexOf('\n') + 1));
        }
        terminal.out().flush();
    }

    private void table(JsonObject answer, JsonArray items) {
        if (output == Output.NAME) {
            String field = kind == Kind.ADDRESS ? "address" : "name";
            items.forEach(
                    item ->
                            terminal.out()
                                    .println(item.getAsJsonObject().get(field).getAsString()));
            return;
        }
        Instant asOf = Instant.parse(answer.get("asOf").getAsString());
        Table table =
                new Table(
                        kind.columns().stream()
                                .map(c -> new Table.Column(c.title(), c.number()))
                                .toList());
        for (JsonElement item : items) {
            List<String> cells = new ArrayList<>();
            for (Kind.Column column : kind.columns()) {
                cells.add(Cells.of(item.getAsJsonObject(), column.field(), asOf));
            }
            table.row(cells);
        }
        if (items.isEmpty()) {
            terminal.err().println("There are none.");
        } else {
            table.print(terminal.out());
        }
        double age = answer.get("ageSeconds").getAsDouble();
        if (age > STALE_SECONDS) {
            terminal.err()
                    .println(
                            "This is %d s old: the Kubernetes API has been silent since."
                                    .formatted((long) age));
        }
    }

    private String query() {
        StringBuilder query = new StringBuilder("api/v1/" + kind.path());
        for (String filter : List.of("--pool", "--node", "--state", "--sort")) {
            String value = arguments.value(filter);
            if (value != null) {
                query.append(separator(query))
                        .append(filter.substring(2))
                        .append('=')
                        .append(encoded(value));
            }
        }
        return query.toString();
    }

    private static char separator(CharSequence query) {
        return query.toString().indexOf('?') < 0 ? '?' : '&';
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
