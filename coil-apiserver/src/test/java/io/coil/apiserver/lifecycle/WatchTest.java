package io.coil.apiserver.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.apiserver.lifecycle.Operations.Part;
import io.coil.apiserver.lifecycle.Operations.Watch;
import io.coil.apiserver.lifecycle.Operations.WatchEvent;
import io.coil.apiserver.lifecycle.Operations.WatchQuery;
import io.coil.apiserver.resource.TypeKey;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

class WatchTest {
    private final TestServer server = new TestServer();

    @Test
    void changesComeInTheirOrder() throws Exception {
        String version = TestServer.version(server.widget("a"));
        Watch watch = watch(TestServer.since(version));
        server.widget("b");
        setColor("a", "red");
        server.operations.delete(server.widgets(), null, "b", server.delete());

        List<WatchEvent> events = read(watch);

        assertThat(events)
                .extracting(WatchTest::line)
                .containsExactly("ADDED b", "MODIFIED a", "DELETED b");
        assertThat(events)
                .extracting(e -> Long.parseLong(TestServer.version((ObjectNode) e.object())))
                .isSorted();
        assertThat(TestServer.version((ObjectNode) events.getLast().object()))
                .isEqualTo(Long.toString(server.storage.store().version()));
    }

    @Test
    void anObjectEntersAndLeavesASelection() throws Exception {
        server.widget("a");
        Watch watch =
                watch(
                        new WatchQuery(
                                "team=x",
                                null,
                                Long.toString(server.storage.store().version()),
                                false,
                                false));

        label("a", "x");
        setColor("a", "red");
        label("a", "y");
        setColor("a", "blue");

        List<WatchEvent> events = read(watch);
        assertThat(events)
                .extracting(WatchTest::line)
                .containsExactly("ADDED a", "MODIFIED a", "DELETED a");
        assertThat(
                        events.getLast()
                                .object()
                                .path("metadata")
                                .path("labels")
                                .path("team")
                                .asString())
                .isEqualTo("x");
    }

    @Test
    void whatIsThereCanComeFirst() throws Exception {
        server.widget("a");
        server.widget("b");

        List<WatchEvent> events = read(watch(new WatchQuery(null, null, "", true, true)));

        assertThat(events)
                .extracting(WatchTest::line)
                .containsExactly("ADDED a", "ADDED b", "BOOKMARK");
        assertThat(
                        events.getLast()
                                .object()
                                .path("metadata")
                                .path("annotations")
                                .path("k8s.io/initial-events-end")
                                .asString())
                .isEqualTo("true");
    }

    @Test
    void bookmarksTellHowFarItHasCome() throws Exception {
        String version = TestServer.version(server.widget("a"));
        Watch watch = watch(new WatchQuery(null, null, version, true, false));
        server.create("v1", "configmaps", "default", "metadata: {name: c}");

        assertThat(watch.next(Duration.ZERO)).isNull();
        server.pass(Duration.ofSeconds(6));
        WatchEvent bookmark = watch.next(Duration.ZERO);

        assertThat(bookmark).isNotNull();
        assertThat(bookmark.type()).isEqualTo("BOOKMARK");
        assertThat(TestServer.version((ObjectNode) bookmark.object()))
                .isEqualTo(Long.toString(server.storage.store().version()));
        assertThat(watch.next(Duration.ZERO)).isNull();
    }

    @Test
    void aVersionThatIsForgottenIsExpired() {
        String version = TestServer.version(server.widget("a"));
        server.widget("b");
        server.storage.store().expireHistory(TypeKey.of(server.widgets()));

        assertThatThrownBy(() -> watch(TestServer.since(version)))
                .isInstanceOfSatisfying(
                        ApiStatusException.class, e -> assertThat(e.code()).isEqualTo(410))
                .hasMessageStartingWith("too old resource version: " + version);
    }

    @Test
    void aWatchThatIsTooSlowEndsWithAnError() throws Exception {
        Watch watch = watch(TestServer.since(TestServer.version(server.widget("a"))));
        server.widget("b");
        server.storage.store().expireHistory(TypeKey.of(server.widgets()));

        List<WatchEvent> events = read(watch);

        assertThat(events).hasSize(1);
        assertThat(events.getFirst().type()).isEqualTo("ERROR");
        assertThat(events.getFirst().object().path("code").asInt()).isEqualTo(410);
        server.widget("c");
        assertThat(watch.next(Duration.ZERO)).isNull();
    }

    @Test
    void aWatchOfANamespaceSeesNoOther() throws Exception {
        server.create("v1", "namespaces", null, "metadata: {name: other}");
        Watch watch =
                server.operations.watch(
                        server.type("v1", "configmaps"),
                        "other",
                        TestServer.since(Long.toString(server.storage.store().version())));

        server.create("v1", "configmaps", "default", "metadata: {name: c}");
        server.create("v1", "configmaps", "other", "metadata: {name: d}");

        assertThat(read(watch)).extracting(WatchTest::line).containsExactly("ADDED d");
    }

    @Test
    void aWatchOfOneNodesPodsSeesThemComeAndNoOthers() throws Exception {
        Watch watch =
                server.operations.watch(
                        server.pods(),
                        null,
                        new WatchQuery(
                                null,
                                "spec.nodeName=n1",
                                Long.toString(server.storage.store().version()),
                                false,
                                false));
        for (String node : List.of("n1", "n2", "")) {
            server.create(
                    "v1",
                    "pods",
                    "default",
                    "{metadata: {name: 'p%s'}, spec: {%s containers: [{name: c}]}}"
                            .formatted(node, node.isEmpty() ? "" : "nodeName: " + node + ","));
        }

        server.operations.patch(
                server.pods(),
                "default",
                "p",
                Part.MAIN,
                o -> {
                    o.withObject("spec").put("nodeName", "n1");
                    return o;
                },
                server.write());

        assertThat(read(watch)).extracting(WatchTest::line).containsExactly("ADDED pn1", "ADDED p");
    }

    @Test
    void aWatchOfOneNameSeesOnlyIt() throws Exception {
        Watch watch =
                watch(
                        new WatchQuery(
                                null,
                                "metadata.name=b",
                                Long.toString(server.storage.store().version()),
                                true,
                                false));

        server.widget("a");
        server.widget("b");
        server.operations.delete(server.widgets(), null, "b", server.delete());
        server.widget("c");

        assertThat(read(watch)).extracting(WatchTest::line).containsExactly("ADDED b", "DELETED b");
    }

    @Test
    @Timeout(20)
    void aWaitingWatchIsWokenByAWriteAndByItsClose() throws Exception {
        Watch watch = watch(TestServer.since(TestServer.version(server.widget("a"))));
        CompletableFuture<String> first =
                CompletableFuture.supplyAsync(() -> next(watch), r -> Thread.ofVirtual().start(r));
        server.widget("b");
        assertThat(first.join()).isEqualTo("ADDED b");

        CompletableFuture<String> second =
                CompletableFuture.supplyAsync(() -> next(watch), r -> Thread.ofVirtual().start(r));
        watch.close();
        assertThat(second.join()).isEqualTo("none");
    }

    private static String next(Watch watch) {
        try {
            WatchEvent event = watch.next(Duration.ofSeconds(60));
            return event == null ? "none" : line(event);
        } catch (InterruptedException e) {
            return "interrupted";
        }
    }

    private Watch watch(WatchQuery query) {
        return server.operations.watch(server.widgets(), null, query);
    }

    private static List<WatchEvent> read(Watch watch) throws InterruptedException {
        List<WatchEvent> events = new ArrayList<>();
        for (WatchEvent event = watch.next(Duration.ZERO);
                event != null;
                event = watch.next(Duration.ZERO)) {
            events.add(event);
        }
        return events;
    }

    private static String line(WatchEvent event) {
        return (event.type() + " " + event.object().path("metadata").path("name").asString(""))
                .strip();
    }

    private void label(String name, String team) {
        server.patch(
                server.widgets(),
                name,
                Part.MAIN,
                o -> o.withObject("metadata").withObject("labels").put("team", team));
    }

    private void setColor(String name, String color) {
        server.patch(
                server.widgets(), name, Part.MAIN, o -> o.withObject("spec").put("color", color));
    }
}
