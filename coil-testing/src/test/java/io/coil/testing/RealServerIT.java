package io.coil.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coil.apiserver.ApiEndpoint;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** What the other tests rely on. */
class RealServerIT {
    private static final String NODES = "/api/v1/nodes";

    @TempDir private Path directory;

    @Test
    void whoComesNextFindsNothingOfWhoWasBefore() throws Exception {
        assumeTrue(Servers.here().contains(Servers.REAL), "no kube-apiserver was built");
        try (ApiEndpoint first = Servers.REAL.open(builder -> builder)) {
            assertThat(create(first, NODES, "{metadata: {name: n1, finalizers: [a.b/c]}}"))
                    .isEqualTo(201);
            assertThat(create(first, "/api/v1/namespaces", "{metadata: {name: ns}}"))
                    .isEqualTo(201);
            assertThat(first.token("system:serviceaccount:ns:coil-agent")).isNotEmpty();
        }

        try (ApiEndpoint second = Servers.REAL.open(builder -> builder)) {
            assertThat(second.administer("GET", NODES, "", "").body()).contains("\"items\":[]");
            assertThat(second.administer("GET", "/api/v1/namespaces/ns", "", "").code())
                    .isEqualTo(404);
        }
    }

    private static int create(ApiEndpoint server, String path, String yaml) throws Exception {
        return server.administer("POST", path, "application/yaml", yaml).code();
    }

    @Test
    void theProgramIsFoundByWhatItIsBuiltFrom() throws IOException {
        Path sources = Files.createDirectory(directory.resolve("sources"));
        for (String file : new String[] {"go.mod", "go.sum", "kubelet_linux.go", "main.go"}) {
            Files.writeString(sources.resolve(file), file);
        }
        Map<String, String> environment =
                Map.of("COIL_TESTING_HOME", directory.resolve("home").toString());
        assertThat(Programs.find(sources, environment)).isEmpty();
        Path program = directory.resolve("home/kubernetes-c80bebb5bf26948b/kubernetes");
        Files.createDirectories(program.getParent());
        Files.writeString(program, "");
        assertThat(program.toFile().setExecutable(true)).isTrue();

        assertThat(Programs.find(sources, environment)).contains(program);

        Files.writeString(sources.resolve("main.go"), "changed");
        assertThat(Programs.find(sources, environment)).isEmpty();
    }
}
