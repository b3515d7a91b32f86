package io.coil.apiserver;

import static io.coil.apiserver.Servers.WIDGETS;
import static io.coil.apiserver.Servers.widget;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.apiserver.Client.Answer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;

/** Who may do what, and how it is asked. */
class AccessIT {
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";
    private static ApiServer server;
    private static Client admin;

    @BeforeAll
    static void start() throws IOException {
        server = Servers.withWidgets().build().start();
        admin = Client.admin(server);
    }

    @AfterAll
    static void stop() {
        admin.close();
        server.close();
    }

    @Test
    void nobodyGetsInWithoutAValidToken() {
        for (String token : List.of("", "x", "YWRtaW4.YWRtaW4", server.adminToken() + "x")) {
            try (Client nobody = new Client(server, token)) {
                assertThat(nobody.get(WIDGETS).code()).isEqualTo(401);
                assertThat(nobody.get("/healthz").text()).isEqualTo("ok");
                assertThat(nobody.get("/version").code()).isEqualTo(200);
                assertThat(nobody.get("/apis").code()).isEqualTo(401);
            }
        }
    }

    @Test
    void aRoleHoldsFromTheMomentThatItIsBound() {
        String account = "system:serviceaccount:default:painter";
        try (Client painter = new Client(server, server.token(account))) {
            assertThat(painter.get("/apis").code()).isEqualTo(200);
            Answer refused = painter.post(WIDGETS, widget("painted", "red"));
            assertThat(refused.code()).isEqualTo(403);
            assertThat(refused.message())
                    .isEqualTo(
                            "widgets.example.org is forbidden: User"
                                    + " \"system:serviceaccount:default:painter\" cannot create"
                                    + " resource \"widgets\" in API group \"example.org\" in the"
                                    + " namespace \"default\"");
            admin.post(
                    RBAC + "/namespaces/default/roles",
                    """
                    {"metadata": {"name": "painter"}, "rules": [{"apiGroups": ["example.org"],
                     "resources": ["widgets"], "verbs": ["create", "get"]},
                     {"apiGroups": ["example.org"], "resources": ["widgets/status"],
                     "resourceNames": ["painted"], "verbs": ["patch"]}]}
                    """);
            admin.post(
                    RBAC + "/namespaces/default/rolebindings",
                    """
                    {"metadata": {"name": "painter"}, "subjects": [{"kind": "ServiceAccount",
                     "name": "painter"}], "roleRef": {"kind": "Role", "name": "painter",
                     "apiGroup": "rbac.authorization.k8s.io"}}
                    """);
            assertThat(painter.post(WIDGETS, widget("painted", "red")).code()).isEqualTo(201);
            assertThat(painter.merge(WIDGETS + "/painted/status", "{}").code()).isEqualTo(200);
            assertThat(painter.merge(WIDGETS + "/other/status", "{}").code()).isEqualTo(403);
            assertThat(painter.delete(WIDGETS + "/painted").code()).isEqualTo(403);
            assertThat(painter.get("/apis/example.org/v1/widgets").code()).isEqualTo(403);

            admin.delete(RBAC + "/namespaces/default/rolebindings/painter");
            assertThat(painter.get(WIDGETS + "/painted").code()).isEqualTo(403);
        }
    }

    @Test
    void reviewsSayWhoSomebodyIsAndWhatHeMay() {
        String reviews = "/apis/authorization.k8s.io/v1/";
        Answer token =
                admin.post(
                        "/apis/authentication.k8s.io/v1/tokenreviews",
                        "{\"spec\":{\"token\":\"" + server.token("ann", List.of("g")) + "\"}}");
        assertThat(token.code()).isEqualTo(201);
        assertThat(token.at("/status/authenticated")).isEqualTo("true");
        assertThat(token.at("/status/user/username")).isEqualTo("ann");
        assertThat(token.at("/status/user/groups/0")).isEqualTo("g");
        assertThat(
                        admin.post(
                                        "/apis/authentication.k8s.io/v1/tokenreviews",
                                        "{\"spec\":{\"token\":\"forged\"}}")
                                .at("/status/authenticated"))
                .isEqualTo("false");
        assertThat(
                        admin.post(
                                        reviews + "subjectaccessreviews",
                                        """
                                        {"spec": {"user": "viewer", "resourceAttributes": {
                                         "verb": "list", "group": "example.org",
                                         "resource": "widgets"}}}
                                        """)
                                .at("/status/allowed"))
                .isEqualTo("true");
        try (Client viewer = new Client(server, server.viewerToken())) {
            Answer own =
                    viewer.post(
                            reviews + "selfsubjectaccessreviews",
                            """
                            {"spec": {"resourceAttributes": {"verb": "delete", "name": "w",
                             "group": "example.org", "resource": "widgets"}}}
                            """);
            assertThat(own.at("/status/allowed")).isEqualTo("false");
            assertThat(own.at("/status/reason")).contains("cannot delete");
            assertThat(
                            viewer.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}")
                                    .at("/status/userInfo/username"))
                    .isEqualTo("viewer");
            assertThat(
                            viewer.post(
                                            reviews + "selfsubjectrulesreviews",
                                            "{\"spec\":{\"namespace\":\"default\"}}")
                                    .json()
                                    .at("/status/resourceRules"))
                    .isNotEmpty();
            assertThat(viewer.post(reviews + "subjectaccessreviews", "{}").code()).isEqualTo(403);
        }
    }

    @Test
    void requestsAreCountedByUserAndVerb() {
        try (Client counted =
                new Client(server, server.token("counted", List.of("system:masters")))) {
            counted.get(WIDGETS);
            counted.get(WIDGETS);
            counted.get(WIDGETS + "/none");
            assertThat(server.requests().writes("counted")).isZero();
            counted.post(WIDGETS, widget("counted", "red"));
            counted.merge(WIDGETS + "/counted/status", "{}");
            assertThat(server.requests().count("counted", "list", "widgets")).isEqualTo(2);
            assertThat(server.requests().count("counted", "get", "widgets")).isEqualTo(1);
            assertThat(server.requests().writes("counted")).isEqualTo(2);
            assertThat(server.requests().sum(k -> k.user().equals("counted") && k.code() == 404))
                    .isEqualTo(1);
        }
    }

    @Test
    void withoutAuthorizationEveryKnownUserMayDoAll() throws IOException {
        try (ApiServer open = Servers.withWidgets().authorization(false).build().start();
                Client anybody = new Client(open, open.token("anybody"));
                Client nobody = new Client(open, "")) {
            assertThat(anybody.post(WIDGETS, widget("a", "red")).code()).isEqualTo(201);
            assertThat(nobody.get(WIDGETS).code()).isEqualTo(401);
        }
    }
}
