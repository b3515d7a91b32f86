package io.coil.admin.web;

import io.coil.admin.snapshot.AddressLookup;
import io.coil.admin.snapshot.Current;
import io.coil.admin.snapshot.Observed;
import io.coil.admin.snapshot.Snapshot;
import io.coil.core.net.Address;
import io.coil.core.net.InvalidAddressException;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** {@code /search?q=}: who has an address, and where a name is. */
@Controller
class SearchPage {
    private static final int MOST = 50;

    private final Timeline timeline;
    private final PastHolders past;

    SearchPage(Timeline timeline, PastHolders past) {
        this.timeline = timeline;
        this.past = past;
    }

    /** Something that matches; {@code href} null: there is no page of it. */
    public record Hit(String name, @Nullable String href, String kind, String why) {}

    @GetMapping("/search")
    String show(
            Current now,
            @RequestParam(defaultValue = "") String q,
            @RequestParam(defaultValue = "") String at,
            Model model) {
        String text = q.strip();
        Snapshot image = now.snapshot();
        AddressLookup address = address(text, image);
        List<Hit> hits = text.isEmpty() || address != null ? List.of() : hits(text, image);
        model.addAttribute("q", text);
        model.addAttribute("address", address);
        model.addAttribute(
                "since",
                address == null || address.pod() == null
                        ? null
                        : Stamp.orNull(address.pod().started(), timeline.now()));
        model.addAttribute("hits", hits.stream().limit(MOST).toList());
        model.addAttribute("more", hits.size() > MOST);
        model.addAttribute("at", at);
        past(text, address, at, model);
        return "search";
    }

    private void past(String text, @Nullable AddressLookup found, String at, Model model) {
        Told<HoldingRow> rows;
        if (found != null) {
            rows = past.all(found.both());
            Told<String> then =
                    at.isBlank() ? new Told<>(List.of(), null) : past.at(found.both(), at.strip());
            model.addAttribute("then", then);
            model.addAttribute("pair", found.both().size() > 1);
        } else {
            rows = text.isEmpty() ? new Told<>(List.of(), null) : past.ofPod(text);
        }
        model.addAttribute("past", rows.rows());
        model.addAttribute("without", rows.why());
        model.addAttribute("reach", text.isEmpty() ? null : past.reach());
    }

    private static @Nullable AddressLookup address(String text, Snapshot image) {
        try {
            return AddressLookup.of(Address.parse(text), image);
        } catch (InvalidAddressException e) {
            return null;
        }
    }

    private static List<Hit> hits(String text, Snapshot image) {
        List<Hit> hits = new ArrayList<>();
        names(hits, text, image.nodes().keySet(), "node", "/nodes/");
        names(hits, text, image.pools().keySet(), "pool", "/pools/");
        names(hits, text, image.blocks().keySet(), "block", "/blocks/");
        names(hits, text, image.runs().keySet(), "collection", "/collections/");
        Set<Observed.Pod> pods = new LinkedHashSet<>(image.pods().values());
        for (Observed.Pod pod : pods) {
            if (pod.toString().contains(text) && hits.size() <= MOST) {
                String first = pod.addresses().getFirst().toString();
                hits.add(
                        new Hit(
                                pod.toString(),
                                "/search?q=" + first,
                                "pod",
                                "has " + first + (pod.node() == null ? "" : " on " + pod.node())));
            }
        }
        return hits;
    }

    private static void names(
            List<Hit> hits, String text, Collection<String> names, String kind, String path) {
        for (String name : names) {
            if (name.contains(text) && hits.size() <= MOST) {
                hits.add(
                        new Hit(
                                name,
                                path + name,
                                kind,
                                name.equals(text) ? "the name" : "part of the name"));
            }
        }
    }
}
