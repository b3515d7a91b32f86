package io.coil.apiserver.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.apiserver.lifecycle.Operations.ListQuery;
import io.coil.apiserver.lifecycle.Operations.Page;
import io.coil.apiserver.lifecycle.Operations.Part;
import io.coil.apiserver.resource.TypeKey;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;

class ListTest {
    private final TestServer server = new TestServer();

    @Test
    void pagesShowOneMoment() {
        List.of("a", "b", "c", "d", "e").forEach(server::widget);

        Page first = page(2, null);
        server.operations.delete(server.widgets(), null, "c", server.delete());
        server.widget("bb");
        server.patch(server.widgets(), "d", Part.MAIN, o -> o.withObject("spec").put("size", 9));
        Page second = page(2, first.continueToken());
        Page third = page(2, second.continueToken());

        assertThat(TestServer.names(first)).containsExactly("a", "b");
        assertThat(first.remaining()).isEqualTo(3);
        assertThat(TestServer.names(second)).containsExactly("c", "d");
        assertThat(second.items().get(1).path("spec").path("size").asInt()).isEqualTo(1);
        assertThat(TestServer.names(third)).containsExactly("e");
        assertThat(third.continueToken()).isNull();
        assertThat(List.of(second.resourceVersion(), third.resourceVersion()))
                .containsOnly(first.resourceVersion());
        assertThat(server.names(server.widgets())).containsExactly("a", "b", "bb", "d", "e");
    }

    @Test
    void aMomentThatIsForgottenIsExpired() {
        List.of("a", "b", "c").forEach(server::widget);
        Page first = page(2, null);
        server.widget("d");
        server.storage.store().expireHistory(TypeKey.of(server.widgets()));

        assertThatThrownBy(() -> page(2, first.continueToken()))
                .isInstanceOfSatisfying(
                        ApiStatusException.class,
                        e -> {
                            assertThat(e.code()).isEqualTo(410);
                            assertThat(e.reason()).isEqualTo("Expired");
                        });
    }

    @Test
    void anEarlierMomentCanBeAskedFor() {
        String version = TestServer.version(server.widget("a"));
        server.widget("b");

        Page then = list(new ListQuery(null, null, 0, null, version, "Exact"));

        assertThat(TestServer.names(then)).containsExactly("a");
        assertThat(then.resourceVersion()).isEqualTo(version);
    }

    @Test
    void aMomentToComeCannot() {
        assertThatThrownBy(() -> list(new ListQuery(null, null, 0, null, "99999", null)))
                .isInstanceOfSatisfying(
                        ApiStatusException.class,
                        e -> {
                            assertThat(e.code()).isEqualTo(504);
                            assertThat(e.retryAfterSeconds()).isEqualTo(1);
                        })
                .hasMessageContaining("Too large resource version: 99999");
    }

    @Test
    void nonsenseIsABadRequest() {
        for (ListQuery query :
                List.of(
                        new ListQuery(null, null, 1, "nonsense", null, null),
                        new ListQuery("a in b", null, 0, null, null, null),
                        new ListQuery(null, "spec.size=1", 0, null, null, null),
                        new ListQuery(null, null, 0, null, "x", null))) {
            assertThatThrownBy(() -> list(query))
                    .isInstanceOfSatisfying(
                            ApiStatusException.class, e -> assertThat(e.code()).isEqualTo(400));
        }
    }

    @Test
    void fieldSelectorsLookIntoPods() {
        server.create("v1", "namespaces", null, "metadata: {name: other}");
        for (String namespace : List.of("default", "other")) {
            server.create(
                    "v1",
                    "pods",
                    namespace,
                    "{metadata: {name: p}, spec: {nodeName: n1, containers: [{name: c}]}}");
            server.create(
                    "v1",
                    "pods",
                    namespace,
                    "{metadata: {name: q}, spec: {containers: [{name: c}]}}");
        }

        assertThat(podsBy("spec.nodeName=n1")).containsExactly("default/p", "other/p");
        assertThat(podsBy("spec.nodeName!=n1")).containsExactly("default/q", "other/q");
        assertThat(podsBy("spec.nodeName=")).containsExactly("default/q", "other/q");
        assertThat(podsBy("metadata.name=q,metadata.namespace=other")).containsExactly("other/q");
        assertThat(podsBy("status.phase=Running")).isEmpty();
    }

    private List<String> podsBy(String selector) {
        return server
                .operations
                .list(server.pods(), null, new ListQuery(null, selector, 0, null, null, null))
                .items()
                .stream()
                .map(p -> TestServer.meta(p, "namespace") + "/" + TestServer.name(p))
                .toList();
    }

    private Page page(int limit, @Nullable String token) {
        return list(new ListQuery(null, null, limit, token, null, null));
    }

    private Page list(ListQuery query) {
        return server.operations.list(server.widgets(), null, query);
    }
}
