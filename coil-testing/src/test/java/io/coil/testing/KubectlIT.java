package io.coil.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coil.apiserver.ApiServer;
import io.coil.apiserver.http.ApiStream;
import io.coil.apiserver.json.Json;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What kubectl does, done with the real one. */
class KubectlIT {
    private static final Path WIDGETS =
            Path.of("../coil-apiserver/src/test/resources/io/coil/apiserver/widgets.yaml");

    @TempDir static Path directory;

    private static ApiServer server;
    private static Kubectl kubectl;

    @BeforeAll
    static void start() throws IOException {
        server =
                ApiServer.builder()
                        .crds(List.of(WIDGETS))
                        .logs(query -> ApiStream.of("a line of " + query.pod() + "\n"))
                        .build()
                        .start();
        kubectl = new Kubectl(directory, server.adminKubeconfig());
        assumeTrue(Kubectl.installed(), "kubectl is not installed");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String widget(String name, String colour, String more) {
        return """
        apiVersion: example.org/v1
        kind: Widget
        metadata:
          name: %s
          namespace: default
          labels: {example.org/owner: ann, test: %s}
        spec:
          colour: %s
        %s
        """
                .formatted(name, name, colour, more);
    }

    private static String apply(String yaml, String... more) {
        return applying(yaml, more).expectSuccess().out();
    }

    private static Kubectl.Result applying(String yaml, String... more) {
        String[] arguments = new String[more.length + 3];
        arguments[0] = "apply";
        arguments[1] = "-f";
        arguments[2] = "-";
        System.arraycopy(more, 0, arguments, 3, more.length);
        return kubectl.runWithInput(yaml, arguments);
    }

    @Test
    void applyCreatesThenChangesThenFindsNothingToDo() {
        assertThat(apply(widget("applied", "red", "")))
                .contains("widget.example.org/applied created");
        assertThat(apply(widget("applied", "red", ""))).contains("unchanged");
        assertThat(apply(widget("applied", "blue", ""))).contains("configured");
        assertThat(kubectl.ok("get", "wd", "applied", "-o", "jsonpath={.spec.colour} {.spec.size}"))
                .isEqualTo("blue 3");
    }

    @Test
    void aMisspeltFieldIsRefusedWithItsName() {
        Kubectl.Result result = applying(widget("misspelt", "red", "  sise: 4"));
        assertThat(result.code()).isNotZero();
        assertThat(result.out()).contains("unknown field \"spec.sise\"");
    }

    @Test
    void aWrongValueIsRefusedWithItsField() {
        Kubectl.Result result = applying(widget("wrong", "pink", ""));
        assertThat(result.code()).isNotZero();
        assertThat(result.out()).contains("is invalid", "spec.colour", "pink");
    }

    private static String deployment(String name) {
        return """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: NAME, namespace: default}
        spec:
          replicas: 1
          selector: {matchLabels: {app: NAME}}
          template:
            metadata: {labels: {app: NAME}}
            spec:
              containers:
                - {name: one, image: "i:1"}
                - {name: two, image: "i:1"}
        """
                .replace("NAME", name);
    }

    @Test
    void applyOfADeploymentTwiceAndPatchMergesContainersByName() {
        String deployment = deployment("applied");
        assertThat(apply(deployment)).contains("created");
        assertThat(apply(deployment)).contains("unchanged");
        assertThat(
                        apply(
                                deployment.replace(
                                        "name: two, image: \"i:1\"", "name: two, image: \"i:2\"")))
                .contains("configured")
                .doesNotContain("warning");
        kubectl.ok(
                "patch",
                "deployment",
                "applied",
                "-p",
                "{\"spec\":{\"replicas\":0,\"template\":{\"spec\":{\"containers\":["
                        + "{\"name\":\"one\",\"image\":\"i:3\"}]}}}}");
        assertThat(
                        kubectl.ok(
                                "get",
                                "deployment",
                                "applied",
                                "-o",
                                "jsonpath={.spec.replicas}"
                                        + " {.spec.template.spec.containers[*].image}"))
                .isEqualTo("0 i:3 i:2");
    }

    @Test
    void scaleWithAndWithoutACondition() {
        apply(deployment("scaled"));
        kubectl.ok("scale", "deployment/scaled", "--replicas=3");
        assertThat(kubectl.ok("get", "deploy", "scaled", "-o", "jsonpath={.spec.replicas}"))
                .isEqualTo("3");
        kubectl.ok("scale", "deployment/scaled", "--current-replicas=3", "--replicas=5");
        assertThat(kubectl.ok("get", "deploy", "scaled", "-o", "jsonpath={.spec.replicas}"))
                .isEqualTo("5");
        assertThat(
                        kubectl.run(
                                        "scale",
                                        "deployment/scaled",
                                        "--current-replicas=3",
                                        "--replicas=1")
                                .code())
                .isNotZero();
    }

    @Test
    void getShowsTheColumnsOfTheDefinitionAndMoreWhenWide() {
        apply(widget("shown", "green", ""));
        assertThat(kubectl.ok("get", "widgets", "-l", "test=shown").lines())
                .satisfiesExactly(
                        header -> assertThat(header).matches("NAME +COLOUR +OWNER +AGE *"),
                        row -> assertThat(row).matches("shown +green +ann +[0-9]+s *"));
        assertThat(kubectl.ok("get", "wd", "-l", "test=shown", "-o", "wide").lines())
                .satisfiesExactly(
                        header -> assertThat(header).matches("NAME +COLOUR +OWNER +SIZE +AGE *"),
                        row -> assertThat(row).matches("shown +green +ann +3 +[0-9]+s *"));
        assertThat(kubectl.ok("get", "toys", "-l", "test=shown")).contains("shown");
        assertThat(kubectl.ok("get", "widget,deployment", "-l", "test=shown")).contains("shown");
        assertThat(kubectl.ok("get", "pods", "-l", "test=nobody")).contains("No resources found");
    }

    @Test
    void getWatchShowsWhatHappens() throws Exception {
        apply(widget("watched", "red", ""));
        Path out = directory.resolve("watch.txt");
        Process watch = kubectl.start(out, "get", "widget", "-l", "test=watched", "-w");
        try {
            await().untilAsserted(() -> assertThat(out).content().contains("watched   red"));
            apply(widget("watched", "blue", ""));
            await().untilAsserted(() -> assertThat(out).content().contains("watched   blue"));
        } finally {
            watch.destroyForcibly().waitFor();
        }
        assertThat(Files.readString(out).lines().filter(line -> line.startsWith("NAME")))
                .hasSize(1);
    }

    @Test
    void deleteWaitsUntilTheFinalizerIsGone() throws Exception {
        apply(widget("guarded", "red", ""));
        kubectl.ok(
                "patch",
                "widget",
                "guarded",
                "--type=merge",
                "-p",
                "{\"metadata\":{\"finalizers\":[\"example.org/guard\"]}}");
        Path out = directory.resolve("delete.txt");
        Process delete = kubectl.start(out, "delete", "widget", "guarded");
        await().until(
                        () ->
                                !kubectl.ok(
                                                "get",
                                                "widget",
                                                "guarded",
                                                "-o",
                                                "jsonpath={.metadata.deletionTimestamp}")
                                        .isEmpty());
        assertThat(delete.isAlive()).isTrue();
        kubectl.ok(
                "patch",
                "widget",
                "guarded",
                "--type=json",
                "-p",
                "[{\"op\":\"remove\",\"path\":\"/metadata/finalizers\"}]");
        assertThat(delete.waitFor(20, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
        assertThat(delete.exitValue()).isZero();
        assertThat(kubectl.run("get", "widget", "guarded").out())
                .contains(
                        "Error from server (NotFound): widgets.example.org \"guarded\" not found");
    }

    @Test
    void waitSeesAConditionCome() throws Exception {
        apply(widget("awaited", "red", ""));
        Path out = directory.resolve("wait.txt");
        Process wait =
                kubectl.start(
                        out, "wait", "widget/awaited", "--for=condition=Ready", "--timeout=20s");
        kubectl.ok(
                "patch",
                "widget",
                "awaited",
                "--type=merge",
                "--subresource=status",
                "-p",
                "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}");
        assertThat(wait.waitFor(20, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(out)).contains("widget.example.org/awaited condition met");
    }

    @Test
    void rolloutStatusEndsWhenTheDeploymentIsComplete() throws Exception {
        apply(deployment("rolled"));
        Path out = directory.resolve("rollout.txt");
        Process rollout = kubectl.start(out, "rollout", "status", "deployment/rolled");
        kubectl.ok(
                "patch",
                "deployment",
                "rolled",
                "--subresource=status",
                "--type=merge",
                "-p",
                "{\"status\":{\"observedGeneration\":1,\"replicas\":1,\"updatedReplicas\":1,"
                        + "\"readyReplicas\":1,\"availableReplicas\":1}}");
        assertThat(rollout.waitFor(20, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(out)).contains("successfully rolled out");
    }

    @Test
    void annotateLabelCreateReplaceAndConflict() throws IOException {
        Path file = Files.writeString(directory.resolve("w.yaml"), widget("changed", "red", ""));
        kubectl.ok("create", "-f", file.toString());
        assertThat(kubectl.run("create", "-f", file.toString()).out())
                .contains("(AlreadyExists)", "widgets.example.org \"changed\" already exists");
        kubectl.ok("annotate", "widget", "changed", "a=b");
        kubectl.ok("label", "widget", "changed", "c=d");
        String old = kubectl.ok("get", "widget", "changed", "-o", "yaml");
        kubectl.ok("label", "widget", "changed", "e=f");
        Kubectl.Result stale = kubectl.runWithInput(old, "replace", "-f", "-");
        assertThat(stale.code()).isNotZero();
        assertThat(stale.out()).contains("(Conflict)", "the object has been modified");
        Kubectl.Result fresh =
                kubectl.runWithInput(
                        kubectl.ok("get", "widget", "changed", "-o", "yaml").replace("red", "blue"),
                        "replace",
                        "-f",
                        "-");
        assertThat(fresh.expectSuccess().out()).contains("replaced");
    }

    private static String pod(String name) {
        return """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: default}
        spec:
          containers:
            - {name: main, image: pause, command: [pause]}
        """
                .formatted(name);
    }

    @Test
    void logsDescribeAndDeleteOfAPod() {
        apply(pod("logged"));
        assertThat(kubectl.ok("logs", "logged")).isEqualTo("a line of logged\n");
        assertThat(kubectl.ok("describe", "pod", "logged")).contains("Name:", "logged", "Events:");
        assertThat(kubectl.ok("get", "pod", "logged", "-o", "wide"))
                .matches(
                        "(?s)NAME +READY +STATUS +RESTARTS +AGE +IP +NODE.*logged +0/1 +Pending.*");
        assertThat(kubectl.ok("delete", "pod", "logged")).contains("deleted");
    }

    @Test
    void diffAndDryRunChangeNothing() {
        apply(widget("dry", "red", ""));
        Kubectl.Result diff = kubectl.runWithInput(widget("dry", "blue", ""), "diff", "-f", "-");
        assertThat(diff.code()).isEqualTo(1);
        assertThat(diff.out()).contains("-  colour: red", "+  colour: blue");
        assertThat(apply(widget("dry", "blue", ""), "--dry-run=server"))
                .contains("configured (server dry run)");
        assertThat(kubectl.ok("get", "widget", "dry", "-o", "jsonpath={.spec.colour}"))
                .isEqualTo("red");
        assertThat(apply(widget("never", "blue", ""), "--dry-run=server"))
                .contains("created (server dry run)");
        assertThat(kubectl.run("get", "widget", "never").code()).isNotZero();
    }

    @Test
    void serverSideApplyIsRefusedClearly() {
        Kubectl.Result result = applying(widget("ssa", "red", ""), "--server-side");
        assertThat(result.code()).isNotZero();
        assertThat(result.out()).contains("server-side apply is not served by this API server");
    }

    @Test
    void aViewerSeesButDoesNotTouch() {
        apply(widget("viewed", "red", ""));
        Kubectl viewer = new Kubectl(directory, server.kubeconfig("viewer", server.viewerToken()));
        assertThat(viewer.ok("get", "widget", "viewed")).contains("viewed");
        Kubectl.Result result = viewer.run("delete", "widget", "viewed");
        assertThat(result.code()).isNotZero();
        assertThat(result.out())
                .contains(
                        "Error from server (Forbidden): widgets.example.org \"viewed\" is"
                                + " forbidden: User \"viewer\" cannot delete resource \"widgets\""
                                + " in API group \"example.org\" in the namespace \"default\"");
        assertThat(viewer.run("get", "secrets").out()).contains("cannot list resource \"secrets\"");
    }

    @Test
    void authCanI() {
        Kubectl viewer = new Kubectl(directory, server.kubeconfig("viewer", server.viewerToken()));
        assertThat(viewer.run("auth", "can-i", "list", "widgets").out()).isEqualTo("yes\n");
        assertThat(viewer.run("auth", "can-i", "delete", "widgets").out()).startsWith("no");
        assertThat(viewer.ok("auth", "can-i", "--list")).contains("pods/log", "[get list watch]");
        assertThat(viewer.ok("auth", "whoami")).containsPattern("Username +viewer");
    }

    /** These are sent as protobuf: what is stored must be what kubectl says that it sends. */
    @Test
    void createByCommand() {
        for (String[] command :
                new String[][] {
                    {"namespace", "made"},
                    {"deployment", "made", "--image=i:1", "--replicas=0", "--port=80"},
                    {"serviceaccount", "made"},
                    {"configmap", "made", "--from-literal=a=b", "--from-literal=c="},
                    {"secret", "generic", "made", "--from-literal=a=b"},
                    {"role", "made", "--verb=get,list", "--resource=pods/log"},
                    {"clusterrole", "made", "--verb=get", "--non-resource-url=/logs"},
                    {"rolebinding", "made", "--role=made", "--serviceaccount=default:made"},
                    {"clusterrolebinding", "made", "--clusterrole=made", "--group=g"},
                    {"service", "clusterip", "made", "--tcp=80:http"}
                }) {
            List<String> create = new ArrayList<>(List.of("create"));
            create.addAll(List.of(command));
            kubectl.ok(create.toArray(String[]::new));
            create.addAll(List.of("--dry-run=client", "-o", "json"));
            ObjectNode wanted =
                    Json.MAPPER.readTree(kubectl.ok(create.toArray(String[]::new))).asObject();
            JsonNode stored =
                    Json.MAPPER.readTree(kubectl.ok("get", command[0], "made", "-o", "json"));
            assertThat(missing(wanted, stored, "")).as("%s", create).isEmpty();
        }
    }

    /** Paths at which the stored object lacks what was wanted. */
    private static List<String> missing(JsonNode wanted, JsonNode stored, String path) {
        if (path.equals("/status")
                || path.endsWith("/creationTimestamp")
                || (wanted.isEmpty() && wanted.isContainer())) {
            return List.of();
        }
        List<String> paths = new ArrayList<>();
        if (wanted.isObject()) {
            wanted.forEachEntry(
                    (name, value) ->
                            paths.addAll(missing(value, stored.path(name), path + "/" + name)));
        } else if (wanted.isArray() && wanted.size() == stored.size()) {
            for (int i = 0; i < wanted.size(); i++) {
                paths.addAll(missing(wanted.get(i), stored.get(i), path + "/" + i));
            }
        } else if (!Json.same(wanted, stored)) {
            paths.add(path + ": " + stored + " instead of " + wanted);
        }
        return paths;
    }

    @Test
    void aTokenOfAServiceAccountIsThatAccount() {
        kubectl.ok("create", "serviceaccount", "holder");
        String token = kubectl.ok("create", "token", "holder").trim();
        Kubectl holder = new Kubectl(directory, server.kubeconfig("holder", token));
        assertThat(holder.ok("auth", "whoami"))
                .contains("system:serviceaccount:default:holder", "system:serviceaccounts:default");
    }

    @Test
    void drainAndRun() {
        apply(
                """
                apiVersion: v1
                kind: Node
                metadata: {name: drained}
                """);
        apply(pod("on-node").replace("spec:", "spec:\n  nodeName: drained"));
        Kubectl.Result drained =
                kubectl.run("drain", "drained", "--force", "--timeout=2s", "--grace-period=0");
        assertThat(drained.out()).contains("node/drained cordoned", "evicting pod default/on-node");
        assertThat(kubectl.ok("get", "node", "drained")).contains("SchedulingDisabled");
        assertThat(kubectl.ok("run", "ran", "--image=pause")).contains("pod/ran created");
    }

    @Test
    void apiResourcesVersionAndExplain() {
        assertThat(kubectl.ok("version")).contains("Server Version: v1.32");
        assertThat(kubectl.ok("api-resources"))
                .containsPattern("widgets +wd +example.org/v1 +true +Widget");
        assertThat(kubectl.ok("explain", "widget.spec.colour"))
                .contains("The colour of the widget.");
    }

    @Test
    void nodesNamespacesEventsAndLeasesAreShown() {
        assertThat(kubectl.ok("get", "ns")).containsPattern("kube-system +Active");
        assertThat(kubectl.ok("get", "clusterroles")).contains("cluster-admin");
        assertThat(kubectl.ok("get", "crd")).contains("widgets.example.org");
        assertThat(kubectl.ok("get", "all", "-A")).isNotNull();
    }
}
