package io.coil.admin.web;

import static io.coil.admin.snapshot.Sight.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.admin.snapshot.NodeView;
import io.coil.admin.snapshot.Sight;
import io.coil.admin.snapshot.Snapshot;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/** The table of nodes: filters, order, pages; also at 5,000 nodes. */
class NodesPageTest {
    private static final NodesQuery ALL = new NodesQuery("", "", "", "", "");

    private static Snapshot three() {
        return new Sight()
                .pool("default", 1, "10.1.0.0/24")
                .node("full")
                .node("half")
                .node("idle")
                .block("default", 0, "full", "10.1.0.0/31")
                .block("default", 1, "half", "10.1.0.2/31")
                .block("default", 2, "half", "10.1.0.4/31")
                .block("default", 3, "gone", "10.1.0.6/31")
                .report("full", usage("default-0", 2, "serving", null))
                .report(
                        "half",
                        usage("default-1", 1, "serving", null),
                        usage("default-2", 0, "serving", Duration.ofSeconds(1)))
                .report("idle")
                .snapshot();
    }

    private static List<String> names(NodesQuery query) {
        return query.select(three().nodes().values().stream()).stream()
                .map(NodeView::name)
                .toList();
    }

    @Test
    void mostAddressesFirstUnlessToldOtherwise() {
        assertThat(names(ALL)).containsExactly("full", "half", "gone", "idle");
        assertThat(names(new NodesQuery("", "", "", "", "name")))
                .containsExactly("full", "gone", "half", "idle");
        assertThat(names(new NodesQuery("", "", "", "", "blocks"))).startsWith("half");
        assertThat(names(new NodesQuery("", "", "", "", "pool:default"))).startsWith("full");
    }

    @Test
    void filtersNarrow() {
        assertThat(names(new NodesQuery("empty", "", "", "", ""))).containsExactly("half", "gone");
        assertThat(names(new NodesQuery("not-ready", "", "", "", ""))).containsExactly("gone");
        assertThat(names(new NodesQuery("", "AL", "", "", ""))).containsExactly("half");
        assertThat(names(new NodesQuery("", "", "default", "95", ""))).containsExactly("full");
        assertThat(names(new NodesQuery("", "", "none", "", ""))).isEmpty();
    }

    @Test
    void aViewHasAnAddressAndTextsInItAreEscaped() {
        NodesQuery query = new NodesQuery("empty", "a&b=c", "", "", "");

        assertThat(query.href("sort", "name"))
                .isEqualTo("/nodes?only=empty&name=a%26b%3Dc&sort=name");
        assertThat(query.href("only", "")).isEqualTo("/nodes?name=a%26b%3Dc");
    }

    @Test
    void pagesNeverLeadBeyondTheirEnds() {
        Pager pager = Pager.of(120, 9, p -> "?page=" + p);

        assertThat(pager.page()).isEqualTo(3);
        assertThat(pager.first()).isEqualTo(101);
        assertThat(pager.last()).isEqualTo(120);
        assertThat(Pager.of(0, 1, p -> "").rows(List.of())).isEmpty();
        assertThat(Pager.number("-1")).isEqualTo(1);
        assertThat(Pager.number("7")).isEqualTo(7);
    }
}
