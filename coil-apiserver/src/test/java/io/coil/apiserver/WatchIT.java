package io.coil.apiserver;

import static io.coil.apiserver.Servers.WIDGETS;
import static io.coil.apiserver.Servers.widget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.FaultRule;
import io.coil.apiserver.fault.Scope;
import io.coil.apiserver.json.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Watches over HTTPS, in good and in bad times. */
class WatchIT {
    private ApiServer server;
    private Client client;

    @BeforeEach
    void start() throws IOException {
        server = Servers.withWidgets().build().start();
        client = Client.admin(server);
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    /** Frames as they come; {@code ended} when there will be no more. */
    private final class Watching {
        final List<JsonNode> frames = new CopyOnWriteArrayList<>();
        volatile boolean ended;

        Watching(String query) {
            Thread.ofVirtual()
                    .start(
                            () -> {
                                try {
                                    client.stream(WIDGETS + "?watch=true" + query)
                                            .forEach(
                                                    line -> frames.add(Json.MAPPER.readTree(line)));
                                } catch (UncheckedIOException broken) {
                                    // ended all the same
                                } finally {
                                    ended = true;
                                }
                            });
        }

        List<String> seen() {
            return frames.stream()
                    .map(
                            frame ->
                                    frame.at("/type").asString("")
                                            + " "
                                            + frame.at("/object/metadata/name").asString(""))
                    .toList();
        }

        void awaitSeen(String... events) {
            await().untilAsserted(() -> assertThat(seen()).containsExactly(events));
        }
    }

    private void create(String name) {
        assertThat(client.post(WIDGETS, widget(name, "red")).code()).isEqualTo(201);
    }

    @Test
    void showsWhatIsThereAndThenWhatHappens() {
        create("a");
        Watching watch = new Watching("");
        watch.awaitSeen("ADDED a");
        create("b");
        client.merge(WIDGETS + "/a", "{\"spec\":{\"colour\":\"blue\"}}");
        client.delete(WIDGETS + "/a");
        watch.awaitSeen("ADDED a", "ADDED b", "MODIFIED a", "DELETED a");
    }

    @Test
    void startsAfterTheVersionOfAList() {
        create("a");
        String version = client.get(WIDGETS).at("/metadata/resourceVersion");
        create("b");
        new Watching("&resourceVersion=" + version).awaitSeen("ADDED b");
    }

    @Test
    void initialEventsEndWithABookmark() {
        create("a");
        Watching watch =
                new Watching(
                        "&sendInitialEvents=true&allowWatchBookmarks=true"
                                + "&resourceVersionMatch=NotOlderThan");
        await().untilAsserted(() -> assertThat(watch.frames).hasSize(2));
        assertThat(
                        watch.frames
                                .get(1)
                                .at("/object/metadata/annotations/k8s.io~1initial-events-end")
                                .asString())
                .isEqualTo("true");
    }

    @Test
    void endsWhenItsTimeIsOver() {
        Watching watch = new Watching("&timeoutSeconds=1");
        await().until(() -> watch.ended);
        assertThat(watch.frames).isEmpty();
    }

    @Test
    void aStalledWatchGoesOnWhenTheFaultIsGone() {
        Watching watch = new Watching("");
        create("a");
        watch.awaitSeen("ADDED a");
        FaultRule stall =
                server.faults().add(Scope.any().onResource("widgets"), new Effect.WatchStall());
        create("b");
        await().during(Duration.ofMillis(300)).until(() -> watch.frames.size() == 1);
        server.faults().remove(stall.id());
        watch.awaitSeen("ADDED a", "ADDED b");
    }

    @Test
    void aLaggingWatchIsLate() {
        Watching watch = new Watching("");
        server.faults().add(Scope.any(), new Effect.WatchLag(Duration.ofMillis(800)));
        long before = System.nanoTime();
        create("a");
        watch.awaitSeen("ADDED a");
        assertThat(Duration.ofNanos(System.nanoTime() - before))
                .isGreaterThan(Duration.ofMillis(800));
    }

    @Test
    void aWatchCanBeEndedOnceAndAPartitionEndsIt() {
        Watching first = new Watching("");
        create("a");
        first.awaitSeen("ADDED a");
        server.faults()
                .add(
                        FaultRule.of("end", Scope.any().onVerbs("watch"), new Effect.WatchEnd())
                                .times(1));
        create("b");
        await().until(() -> first.ended);
        Watching second = new Watching("");
        second.awaitSeen("ADDED a", "ADDED b");
        server.faults().add(Scope.any().ofUser("admin"), new Effect.Partition());
        await().atMost(Duration.ofSeconds(40)).until(() -> second.ended);
    }

    @Test
    void aWatchWhoseClientIsGoneEnds() {
        List<Client> clients = new ArrayList<>();
        for (String agent : List.of("kubectl/v1", "other")) {
            String bookmarks = agent.equals("other") ? "&allowWatchBookmarks=true" : "";
            Client gone = Client.admin(server).with("User-Agent", agent);
            clients.add(gone);
            Thread.ofVirtual().start(() -> readUntilClosed(gone, bookmarks));
        }
        await().until(() -> server.faults().runningWatches() == 2);
        clients.forEach(Client::close);
        await().atMost(Duration.ofSeconds(20)).until(() -> server.faults().runningWatches() == 0);
    }

    private static void readUntilClosed(Client client, String query) {
        try {
            client.stream(WIDGETS + "?watch=true" + query).forEach(line -> {});
        } catch (UncheckedIOException closed) {
            // as intended
        }
    }
}
