package io.coil.sandbox.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.apiserver.ApiServer;
import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.FaultRule;
import io.coil.apiserver.fault.Scope;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.client.ClientSettings;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.Names;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** That the check of invariant 3 sees who does what is not his. */
class GivenBackIT {
    private ApiServer server;
    private ClientKubeApi people;
    private GivenBack givenBack;

    @BeforeEach
    void start() throws Exception {
        server = ApiServer.builder().crds(List.of(Path.of("../helm/coil/crds"))).build().start();
        people = client("kubectl");
        givenBack = new GivenBack(server, people);
        for (int i = 0; i < 4; i++) {
            block(i);
        }
    }

    @AfterEach
    void stop() {
        people.close();
        server.close();
    }

    private ClientKubeApi client(String userAgent) {
        return ClientKubeApi.create(
                ClientSettings.direct(
                        server.url(),
                        server.adminToken(),
                        new String(server.caCertificate(), StandardCharsets.US_ASCII),
                        userAgent));
    }

    /** A block of n1. */
    private void block(int index) {
        AddressBlock _ =
                people.create(
                        Kinds.BLOCKS,
                        new AddressBlock(
                                Names.COIL_API,
                                "AddressBlock",
                                new V1ObjectMeta()
                                        .name("default-" + index)
                                        .finalizers(List.of(Names.FINALIZER))
                                        .putLabelsItem(Names.POOL, "default")
                                        .putLabelsItem(Names.NODE, "n1"),
                                index,
                                "10.1.0.%d/31".formatted(2 * index),
                                null));
    }

    private void delete(String userAgent, String block) {
        try (ClientKubeApi api = client(userAgent)) {
            api.delete(Kinds.BLOCKS, null, block, Preconditions.NONE);
        }
    }

    @Test
    @DisplayName("Invariant 3: an agent that gives another node's block back is seen, no one else")
    void anotherNodesAgentIsSeen() {
        delete(GivenBack.agent("coil-agent", "n1"), "default-0");
        delete("kubectl", "default-1");
        delete("coil-controller", "default-2"); // there is no Node n1
        assertThat(givenBack.violations()).isEmpty();

        delete(GivenBack.agent("coil-agent", "n10"), "default-3");

        assertThat(givenBack.violations())
                .singleElement()
                .asString()
                .contains("coil-agent (n10)", "default-3", "n1");
    }

    @Test
    @DisplayName("Invariant 3: so too if it does not hear that it was done")
    void aLostReplyHidesNothing() {
        server.faults()
                .add(FaultRule.of("lost", Scope.any().onVerbs("delete"), new Effect.LostReply()));

        assertThatThrownBy(() -> delete(GivenBack.agent("coil-agent", "n2"), "default-0"))
                .isInstanceOf(ApiFailure.Transient.class);

        assertThat(givenBack.violations()).hasSize(1);
    }
}
