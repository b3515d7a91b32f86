package io.coil.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coil.apiserver.ApiEndpoint;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

/** The API server in the JVM and a real kube-apiserver are asked the same, and answer the same. */
class DifferentialIT {
    private static final String LIST = "differential.yaml";

    @Test
    void bothServersAnswerTheSame() throws Exception {
        assumeTrue(Servers.here().contains(Servers.REAL), "no kube-apiserver was built");
        List<String> wrong = new ArrayList<>();
        Everywhere everywhere = Everywhere.read(LIST);
        ApiEndpoint inJvm = Servers.IN_JVM.open(builder -> builder.authorization(true));
        RealServer real = (RealServer) Servers.REAL.open(builder -> builder);
        try (Side ours = new Side(inJvm, inJvm.url(), inJvm.caCertificate());
                Side theirs = new Side(real, real.directUrl(), real.directCaCertificate())) {
            for (Step step : Step.read(LIST)) {
                JsonNode answer = Answers.normal(ours.answer(step));
                JsonNode truth = Answers.normal(theirs.answer(step));
                wrong.addAll(Answers.unexplained(step, everywhere, answer, truth));
            }
            wrong.addAll(everywhere.unused());
        }
        assertThat(wrong).isEmpty();
    }
}
