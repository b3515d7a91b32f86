package io.coil.admin.rest;

import io.coil.admin.history.AuditQuery;
import io.coil.admin.history.History;
import io.coil.admin.history.HistoryState;
import io.coil.admin.history.Noted;
import io.coil.admin.history.PastRun;
import io.coil.admin.history.Watched;
import io.coil.admin.problem.Problem;
import io.coil.admin.snapshot.AddressLookup;
import io.coil.admin.snapshot.Current;
import io.coil.core.net.Address;
import io.coil.core.net.InvalidAddressException;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;

/** What was. Answers 503, with the reason, while the history cannot be read. */
@RestController
@RequestMapping(path = "/api/v1", produces = "application/json")
@Tag(name = "History")
class Past {
    private static final int MOST = 1000;
    private static final int USUAL = 100;
    private static final int DAYS = 14;
    private static final int MOST_DAYS = 3650;

    private final History history;

    Past(History history) {
        this.history = history;
    }

    @Operation(
            summary = "Who changed what, newest first",
            description =
                    "what is an action, exactly; who and on are parts of names; from and to are"
                            + " times, to is not in it. While no database is there: the last"
                            + " entries since this program started, without continue.")
    @GetMapping(
            path = "/audit",
            produces = {"application/json", "text/csv"})
    Page<PastJson.Entry> audit(
            Current now,
            @RequestParam(defaultValue = "") String who,
            @RequestParam(defaultValue = "") String what,
            @RequestParam(defaultValue = "") String on,
            @RequestParam(required = false) @Nullable String from,
            @RequestParam(required = false) @Nullable String to,
            @RequestParam(required = false) @Nullable Integer limit,
            @RequestParam(name = "continue", required = false) @Nullable String after) {
        int most = within("limit", limit == null ? USUAL : limit, MOST);
        AuditQuery query =
                new AuditQuery(who, what, on, timeOrNull("from", from), timeOrNull("to", to));
        List<Noted> found =
                after == null
                        ? history.audit(query, 0, most + 1)
                        : history.auditAfter(query, last(after), most + 1);
        boolean more = found.size() > most && history.state() instanceof HistoryState.There;
        List<Noted> shown = found.subList(0, Math.min(most, found.size()));
        return new Page<>(
                now.asOf(),
                now.age().toMillis() / 1000.0,
                history.auditCount(query),
                shown.stream().map(PastJson.Entry::of).toList(),
                more ? mark(shown.getLast()) : null);
    }

    private static String mark(Noted entry) {
        return entry.at().toEpochMilli() + "-" + entry.id();
    }

    private static Noted last(String mark) {
        if (!mark.matches("\\d{1,15}-\\d{1,18}")) {
            throw bad("continue cannot be used", "Give the next of an answer, as it was.");
        }
        int dash = mark.indexOf('-');
        Instant at = Instant.ofEpochMilli(Long.parseLong(mark.substring(0, dash)));
        long id = Long.parseLong(mark.substring(dash + 1));
        return new Noted(id, at, "", "", "", "", "", "", "", "");
    }

    @Operation(
            summary = "Who had an address at a time",
            description =
                    "One who surely had it is certain. What began or ended between two looks, or"
                            + " while nobody watched, is not.")
    @GetMapping(path = "/addresses/{address}", params = "at")
    PastJson.HoldersAt holders(
            Current now, @PathVariable("address") String text, @RequestParam String at) {
        AddressLookup found = AddressLookup.of(address(text), now.snapshot());
        Instant time = time("at", at);
        return new PastJson.HoldersAt(
                found.address().toString(),
                time,
                history.holdersAt(found.both(), time).stream()
                        .map(h -> new PastJson.Holder(h.certainAt(time), PastJson.Held.of(h)))
                        .toList(),
                history.watched().map(Watched::from).orElse(null),
                history.blind(time, time.plusMillis(1)).stream().findFirst().orElse(null));
    }

    @Operation(summary = "Everybody who had an address, newest first")
    @GetMapping("/addresses/{address}/history")
    PastJson.HistoryOfAddress address(Current now, @PathVariable("address") String text) {
        AddressLookup found = AddressLookup.of(address(text), now.snapshot());
        return new PastJson.HistoryOfAddress(
                found.address().toString(),
                history.holders(found.both()).stream().map(PastJson.Held::of).toList(),
                history.freed(found.both()));
    }

    @Operation(
            summary = "Addresses that a pod has and had, newest first",
            description = "pod is NAMESPACE/NAME, or a name in any namespace")
    @GetMapping(path = "/addresses", params = "pod")
    PastJson.AddressesOfPod pod(@RequestParam String pod) {
        int slash = pod.indexOf('/');
        return new PastJson.AddressesOfPod(
                history
                        .ofPod(slash < 0 ? null : pod.substring(0, slash), pod.substring(slash + 1))
                        .stream()
                        .map(PastJson.Held::of)
                        .toList());
    }

    @Operation(summary = "Who held the block of that name, newest first")
    @GetMapping("/blocks/{name}/history")
    PastJson.HistoryOfBlocks block(@PathVariable String name) {
        return new PastJson.HistoryOfBlocks(history.block(name));
    }

    @Operation(summary = "Blocks that a node holds and held, newest first")
    @GetMapping("/nodes/{name}/history")
    PastJson.HistoryOfBlocks node(@PathVariable String name) {
        return new PastJson.HistoryOfBlocks(history.blocksOf(name));
    }

    @Operation(summary = "What a collection did, also when its object is gone")
    @GetMapping("/collections/{name}/history")
    PastRun collection(@PathVariable String name) {
        return history.run(name).orElseThrow(() -> Problem.notFound("collection", name).thrown());
    }

    @Operation(summary = "How much of a pool was in use, day by day (UTC)")
    @GetMapping("/pools/{name}/history")
    PastJson.HistoryOfPool pool(
            Current now,
            @PathVariable String name,
            @RequestParam(required = false) @Nullable Integer days) {
        int asked = within("days", days == null ? DAYS : days, MOST_DAYS);
        String uid =
                now.snapshot()
                        .pool(name)
                        .orElseThrow(() -> Problem.notFound("pool", name).thrown())
                        .uid();
        return new PastJson.HistoryOfPool(
                name, history.use(uid, asked).stream().map(PastJson.Day::of).toList());
    }

    private static int within(String what, int value, int most) {
        if (value < 1 || value > most) {
            throw bad(
                    what + " is out of range",
                    "%s is %d, allowed is 1 to %d.".formatted(what, value, most));
        }
        return value;
    }

    private static Address address(String text) {
        try {
            return Address.parse(text);
        } catch (InvalidAddressException e) {
            throw bad("That is no address", e.getMessage() + ".");
        }
    }

    private static @Nullable Instant timeOrNull(String what, @Nullable String text) {
        return text == null || text.isBlank() ? null : time(what, text);
    }

    private static Instant time(String what, String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw bad(
                    what + " is no time",
                    "%s is \"%s\"; a time is written like 2026-12-01T10:03:00Z."
                            .formatted(what, text));
        }
    }

    private static RuntimeException bad(String title, String detail) {
        return Problem.of(HttpStatus.BAD_REQUEST, title, detail).thrown();
    }
}
