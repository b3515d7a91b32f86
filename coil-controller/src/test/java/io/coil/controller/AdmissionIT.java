package io.coil.controller;

import static io.coil.controller.Cluster.eventually;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.controller.web.Ports;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.kubernetes.client.openapi.models.AdmissionregistrationV1WebhookClientConfig;
import io.kubernetes.client.openapi.models.V1MutatingWebhook;
import io.kubernetes.client.openapi.models.V1MutatingWebhookConfiguration;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1RuleWithOperations;
import io.kubernetes.client.openapi.models.V1ValidatingWebhook;
import io.kubernetes.client.openapi.models.V1ValidatingWebhookConfiguration;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The API server asks the webhook over TLS; the controller that answers need not lead. */
class AdmissionIT {
    private static final Kind<V1MutatingWebhookConfiguration> MUTATING =
            new Kind<>(
                    "admissionregistration.k8s.io",
                    "v1",
                    "mutatingwebhookconfigurations",
                    "MutatingWebhookConfiguration",
                    false,
                    V1MutatingWebhookConfiguration.class);
    private static final Kind<V1ValidatingWebhookConfiguration> VALIDATING =
            new Kind<>(
                    "admissionregistration.k8s.io",
                    "v1",
                    "validatingwebhookconfigurations",
                    "ValidatingWebhookConfiguration",
                    false,
                    V1ValidatingWebhookConfiguration.class);

    private Cluster cluster;
    private ConfigurableApplicationContext application;

    @BeforeEach
    void start() {
        cluster = new Cluster();
        cluster.leader(); // so that the application below stands by
        Map<String, Object> properties = new HashMap<>();
        properties.put("coil.controller.metrics-port", "off");
        properties.put("coil.controller.health-port", "off");
        properties.put("coil.controller.webhook-port", "0");
        properties.put("coil.controller.address", "127.0.0.1");
        application =
                ControllerApplication.run(properties, cluster.client("app"), cluster.timeline);
        Controller standby = application.getBean(Controller.class);
        eventually(() -> standby.view().synced());
        assertThat(standby.isLeader()).isFalse();
        configure();
    }

    @AfterEach
    void stop() {
        application.close();
        cluster.close();
    }

    @Test
    void aNewPoolHasItsFinalizerFromTheStart() {
        AddressPool pool = cluster.pool("default", 1, "10.1.0.0/29");

        assertThat(Meta.finalizers(pool.metadata())).containsExactly(Names.FINALIZER);
    }

    @Test
    void d5AnOverlappingPoolIsRefusedAndTheOtherIsNamed() {
        cluster.pool("default", 1, "10.1.0.0/29");

        refused(() -> cluster.pool("b", 0, "10.1.0.4/30"), "10.1.0.4/30", "default");
        refused(() -> cluster.pool("c", 0, "10.7.0.0/30", "10.7.0.2/31"), "10.7.0.2/31");
        assertThat(cluster.exists(Kinds.POOLS, "b")).isFalse();
    }

    @Test
    void a10APoolOverBlocksThatStillExistIsRefusedAndTheBlockIsNamed() {
        cluster.block("default", 0, "n1", "10.1.0.0/31");
        eventually(() -> application.getBean(Controller.class).view().block("default-0") != null);

        refused(() -> cluster.pool("other", 1, "10.1.0.0/28"), "default-0");
        cluster.pool("default", 1, "10.1.0.0/29");
    }

    @Test
    void d9HostBitsAndBlockSizesAreChecked() {
        refused(() -> cluster.pool("a", 40, "fd00::/64"), "40", "16");
        refused(() -> cluster.pool("b", 5, "10.1.0.0/29"), "3 host bits", "5");
        refused(() -> cluster.pool("c", 0, "10.1.0.0/33"), "10.1.0.0/33");
        refused(() -> cluster.pool("d", 0), "subnets");
        refused(() -> cluster.pool("p".repeat(64), 0, "10.1.0.0/29"), "64", "63");
        refused(
                () -> cluster.pool("e", Map.of(Names.COLLECTION, "maybe"), 0, "10.1.0.0/29"),
                "maybe",
                "on, manual or off");
    }

    @Test
    void a11AnUpdateIsJudgedOnlyOnWhatItChanges() {
        cluster.pool("default", 1, "10.1.0.0/29");

        refused(() -> patch("{\"spec\":{\"blockSizeBits\":2}}"), "blockSizeBits");
        refused(
                () -> patch("{\"spec\":{\"subnets\":[{\"ipv4\":\"10.5.0.0/29\"}]}}"),
                "10.1.0.0/29",
                "10.5.0.0/29");
        patch("{\"spec\":{\"subnets\":[{\"ipv4\":\"10.1.0.0/29\"},{\"ipv4\":\"10.5.0.0/29\"}]}}");
        patch("{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
    }

    @Test
    void aCollectionOfWhatDoesNotExistIsRefusedAndNothingIsCreated() {
        refused(
                () ->
                        cluster.run(
                                "bad",
                                new GarbageCollection.Spec(
                                        List.of("nowhere"), null, null, null, null, null)),
                "there is no node named nowhere");
        refused(
                () ->
                        cluster.run(
                                "noplan",
                                new GarbageCollection.Spec(null, null, null, true, "x", null)),
                "dryRun and plan exclude each other");
        assertThat(cluster.exists(Kinds.COLLECTIONS, "bad")).isFalse();
        cluster.run("good", new GarbageCollection.Spec(null, null, null, true, null, null));
    }

    @Test
    void thePoolIsDeletedAsUsual() {
        cluster.pool("default", 1, "10.1.0.0/29");

        cluster.api.delete(Kinds.POOLS, null, "default", Preconditions.NONE);

        eventually(() -> !cluster.exists(Kinds.POOLS, "default"));
    }

    private void patch(String patch) {
        cluster.api.patch(Kinds.POOLS, null, "default", Preconditions.NONE, patch);
    }

    private static void refused(ThrowingCallable call, String... words) {
        assertThatThrownBy(call)
                .isInstanceOf(ApiFailure.Rejected.class)
                .hasMessageContainingAll(words);
    }

    private void configure() {
        cluster.api.create(
                MUTATING,
                new V1MutatingWebhookConfiguration()
                        .apiVersion("admissionregistration.k8s.io/v1")
                        .kind("MutatingWebhookConfiguration")
                        .metadata(new V1ObjectMeta().name("coil"))
                        .addWebhooksItem(
                                new V1MutatingWebhook()
                                        .name("pools.mutate.test")
                                        .admissionReviewVersions(List.of("v1"))
                                        .sideEffects("None")
                                        .failurePolicy("Fail")
                                        .clientConfig(at("/mutate-coil-cybozu-com-v2-addresspool"))
                                        .addRulesItem(
                                                rule("coil.cybozu.com", "v2", "addresspools"))));
        cluster.api.create(
                VALIDATING,
                new V1ValidatingWebhookConfiguration()
                        .apiVersion("admissionregistration.k8s.io/v1")
                        .kind("ValidatingWebhookConfiguration")
                        .metadata(new V1ObjectMeta().name("coil"))
                        .addWebhooksItem(
                                validating(
                                        "pools",
                                        "/validate-coil-cybozu-com-v2-addresspool",
                                        rule("coil.cybozu.com", "v2", "addresspools")))
                        .addWebhooksItem(
                                validating(
                                        "collections",
                                        "/validate-ops-coil-io-v1alpha1-garbagecollection",
                                        rule("ops.coil.io", "v1alpha1", "garbagecollections"))));
    }

    private V1ValidatingWebhook validating(String name, String path, V1RuleWithOperations rule) {
        return new V1ValidatingWebhook()
                .name(name + ".validate.test")
                .admissionReviewVersions(List.of("v1"))
                .sideEffects("None")
                .failurePolicy("Fail")
                .clientConfig(at(path))
                .addRulesItem(rule);
    }

    private static V1RuleWithOperations rule(String group, String version, String plural) {
        return new V1RuleWithOperations()
                .apiGroups(List.of(group))
                .apiVersions(List.of(version))
                .resources(List.of(plural))
                .operations(List.of("CREATE", "UPDATE"))
                .scope("Cluster");
    }

    private AdmissionregistrationV1WebhookClientConfig at(String path) {
        Ports ports = application.getBean(Ports.class);
        return new AdmissionregistrationV1WebhookClientConfig()
                .url(ports.webhookUri() + path)
                .caBundle(
                        Objects.requireNonNull(ports.webhookCertificate())
                                .getBytes(StandardCharsets.US_ASCII));
    }
}
