package io.coil.admin.web;

import io.coil.admin.history.AuditQuery;
import io.coil.admin.history.History;
import io.coil.admin.history.HistoryState;
import io.coil.admin.history.Noted;
import io.coil.admin.snapshot.Current;
import io.coil.admin.snapshot.Spoken;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.util.UriComponentsBuilder;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code /audit}: who did what, when, and why. */
@Controller
class AuditPage {
    private final History history;
    private final Timeline timeline;

    AuditPage(History history, Timeline timeline) {
        this.history = history;
        this.timeline = timeline;
    }

    /** What is asked for, as it stands in the form. */
    public record Form(String who, String what, String on, String from, String to) {

        AuditQuery query() {
            LocalDate last = day(to);
            return new AuditQuery(
                    who.strip(),
                    what,
                    on.strip(),
                    start(day(from)),
                    last == null ? null : start(last.plusDays(1)));
        }

        private static @Nullable LocalDate day(String text) {
            try {
                return text.isBlank() ? null : LocalDate.parse(text.strip());
            } catch (DateTimeException e) {
                return null;
            }
        }

        private static @Nullable Instant start(@Nullable LocalDate day) {
            return day == null ? null : day.atStartOfDay(ZoneOffset.UTC).toInstant();
        }

        String href(int page) {
            Map<String, String> all = new LinkedHashMap<>();
            all.put("who", who);
            all.put("what", what);
            all.put("on", on);
            all.put("from", from);
            all.put("to", to);
            all.put("page", page == 1 ? "" : Integer.toString(page));
            UriComponentsBuilder address = UriComponentsBuilder.fromPath("/audit");
            all.forEach(
                    (key, text) -> {
                        if (!text.isEmpty()) {
                            address.queryParam(key, "{" + key + "}");
                        }
                    });
            return address.encode().buildAndExpand(all).toUriString();
        }
    }

    @GetMapping("/audit")
    String show(
            Current now,
            @RequestParam(defaultValue = "") String who,
            @RequestParam(defaultValue = "") String what,
            @RequestParam(defaultValue = "") String on,
            @RequestParam(defaultValue = "") String from,
            @RequestParam(defaultValue = "") String to,
            @RequestParam(defaultValue = "1") String page,
            Model model) {
        Form form = new Form(who, what, on, from, to);
        AuditQuery query = form.query();
        Told<Integer> total = Told.of(() -> List.of(history.auditCount(query)));
        Pager pager =
                Pager.of(
                        total.rows().isEmpty() ? 0 : total.rows().getFirst(),
                        Pager.number(page),
                        form::href);
        Told<Noted> entries =
                pager.total() == 0
                        ? new Told<>(List.of(), total.why())
                        : Told.of(() -> history.audit(query, pager.first() - 1, Pager.ROWS));
        model.addAttribute("form", form);
        model.addAttribute("actions", Told.of(history::actions).rows());
        model.addAttribute("pager", pager);
        model.addAttribute(
                "rows",
                entries.rows().stream()
                        .map(e -> AuditRow.of(e, now.snapshot(), timeline.now()))
                        .toList());
        model.addAttribute("why", entries.why() == null ? without() : entries.why());
        model.addAttribute("kept", Spoken.duration(history.retention()));
        return "audit";
    }

    /** Why there is less than one might think; null: all is there. */
    private @Nullable String without() {
        return switch (history.state()) {
            case HistoryState.Off() ->
                    "No history is kept: coil.admin.history is none. These are the last entries since this program started.";
            case HistoryState.Away(Instant since, String why) ->
                    "The database of the history has not answered since %s (%s). These are the last entries since this program started; all are written when it is back."
                            .formatted(Stamp.of(since, timeline.now()).text(), why);
            case HistoryState.There() -> null;
        };
    }
}
