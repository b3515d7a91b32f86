package io.coil.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.admin.Client.Answer;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.RunItem;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Collections are started by REST and by form, in the caller's name, once, and only if they can.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CollectionsIT {
    private static final String PATH = "/api/v1/collections";

    private AdminFixture fixture;
    private World world;

    @BeforeAll
    void given() {
        fixture = new AdminFixture();
        world = new World(fixture.api);
        world.node("n1");
        world.pool("default", 1, "10.1.0.0/29");
        world.block("default", 0, "n1", "10.1.0.0/31");
        await().until(() -> fixture.operator().get("/api/v1/blocks/default-0").status() == 200);
    }

    @AfterAll
    void after() {
        fixture.close();
    }

    private List<GarbageCollection> all() {
        return fixture.api.list(Kinds.COLLECTIONS, Selection.ALL).items();
    }

    private static GarbageCollection.Spec spec(GarbageCollection run) {
        return Objects.requireNonNull(run.spec());
    }

    private GarbageCollection created(String location) {
        String name = location.substring(location.lastIndexOf('/') + 1);
        return fixture.api.get(Kinds.COLLECTIONS, null, name).orElseThrow();
    }

    @Test
    void restStartsAPlanUnlessToldOtherwise() {
        Answer answer =
                fixture.operator()
                        .postJson(PATH, "{\"nodes\":[\"n1\"],\"reason\":\"weekly look\"}");

        assertThat(answer.status()).isEqualTo(202);
        GarbageCollection run = created(answer.header("Location"));
        assertThat(spec(run).planOnly()).isTrue();
        assertThat(spec(run).nodes()).containsExactly("n1");
        assertThat(spec(run).reason()).isEqualTo("weekly look");
        Answer shown = fixture.operator().get(answer.header("Location"));
        assertThat(shown.json().at("/collection/phase").asString()).isEqualTo("waiting");
        assertThat(shown.header("Coil-As-Of")).isNotEmpty();
    }

    @Test
    void whatWasMadeAMomentAgoCanBeNamed() {
        world.block("default", 2, "n1", "10.1.0.4/31");

        Answer answer =
                fixture.operator()
                        .postJson(PATH, "{\"blocks\":[\"default-2\"],\"reason\":\"new\"}");

        assertThat(answer.status()).as(answer.body()).isEqualTo(202);
    }

    @Test
    void theSameKeyStartsOneCollection() {
        String body = "{\"pools\":[\"default\"],\"dryRun\":false,\"reason\":\"twice\"}";
        Map<String, String> key = Map.of("Idempotency-Key", "k-1");
        Client operator = fixture.operator();

        Answer first = operator.post(PATH, "application/json", body, key);
        Answer second = operator.post(PATH, "application/json", body, key);
        Answer other = operator.post(PATH, "application/json", body.replace("twice", "other"), key);

        assertThat(first.status()).isEqualTo(202);
        assertThat(second.status()).isEqualTo(202);
        assertThat(second.header("Location")).isEqualTo(first.header("Location"));
        assertThat(other.status()).isEqualTo(409);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"nodes":["n9"],"reason":"x"}                 | 422 | there is no node \\"n9\\"
                    {"pools":["nil"],"reason":"x"}                | 422 | there is no pool \\"nil\\"
                    {"blocks":["default-3"],"reason":"x"}         | 422 | there is no block \\"default-3\\"
                    {"nodes":["n1"]}                              | 422 | a reason is missing
                    {"plan":"plan-none","reason":"x"}             | 422 | there is no collection \\"plan-none\\"
                    {"plan":"p","dryRun":true,"reason":"x"}       | 422 | a dry run cannot apply a plan
                    {nodes                                        | 400 | the body is no JSON:
                    ``                                            | 400 | the body is no JSON: it is empty
                    {"nodes":"n1","reason":"x"}                   | 400 | field \\"nodes\\":
                    {"nods":["n1"],"reason":"x"}                  | 400 | field \\"nods\\":
                    """)
    void whatCannotBeDoneIsSaidAndNothingIsCreated(String body, int status, String sentence) {
        int before = all().size();

        Answer answer = fixture.operator().postJson(PATH, body);

        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
        assertThat(answer.body()).contains(sentence).doesNotContain("io.coil");
        assertThat(all()).hasSize(before);
    }

    @Test
    void h3_aPlanIsShownAndAppliedByForm() {
        Client browser = fixture.browser(fixture.server.adminToken());
        Answer form = browser.get("/collections");
        Map<String, String> fields = new HashMap<>();
        fields.put("_csrf", form.csrf());
        fields.put("dryRun", "true");
        fields.put("nodes", "n1");
        fields.put("reason", "pool will not go away");
        fields.put("key", "form-1");

        Answer sent = browser.postForm("/collections", fields);
        Answer sentAgain = browser.postForm("/collections", fields);

        assertThat(sent.status()).isEqualTo(302);
        String page = path(sent);
        assertThat(path(sentAgain)).isEqualTo(page);
        String plan = created(page).metadata().getName();

        // when the controller has finished it
        world.finishPlan(
                plan,
                new RunItem(
                        "surplus-block",
                        "Block",
                        "default-0",
                        "u1",
                        "default-0",
                        "default",
                        "n1",
                        "Own record: no assignment for 1 h.",
                        3600,
                        RunItem.PLANNED,
                        null));
        await().until(() -> browser.get(page).body().contains("Apply this plan"));

        Answer shown = browser.get(page);
        assertThat(shown.body())
                .contains("surplus-block", "Own record: no assignment for 1 h.", "would be done");

        Answer applied =
                browser.postForm(
                        "/collections",
                        Map.of(
                                "_csrf", shown.csrf(),
                                "plan", plan,
                                "dryRun", "false",
                                "reason", "as planned",
                                "key", "form-2"));
        GarbageCollection run = created(path(applied));
        assertThat(spec(run).plan()).isEqualTo(plan);
        assertThat(spec(run).planOnly()).isFalse();
        await().until(() -> browser.get(page).body().contains("plan, applied"));
    }

    private static String path(Answer redirect) {
        String location = redirect.header("Location");
        return location.substring(location.indexOf("/collections/"));
    }

    @Test
    void aFormThatCannotBeDoneComesBackWithWhatIsWrong() {
        Client browser = fixture.browser(fixture.server.adminToken());
        int before = all().size();

        Answer answer =
                browser.postForm(
                        "/collections",
                        Map.of(
                                "_csrf", browser.get("/collections").csrf(),
                                "nodes", "n1, n7",
                                "reason", "<b>mine</b>",
                                "key", "form-3"));

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.body())
                .contains("there is no node &quot;n7&quot;", "value=\"n1, n7\"")
                .doesNotContain("<b>mine</b>");
        answer.page();
        assertThat(all()).hasSize(before);
    }
}
