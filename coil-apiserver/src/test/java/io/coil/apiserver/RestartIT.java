package io.coil.apiserver;

import static io.coil.apiserver.Servers.WIDGETS;
import static io.coil.apiserver.Servers.widget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.apiserver.http.PortInUseException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A server that is started again, or beside another. */
class RestartIT {
    @TempDir Path directory;

    @Test
    void whatClientsWereGivenStaysValid() throws IOException {
        String token;
        byte[] authority;
        String version;
        try (ApiServer first = Servers.withWidgets().stateDir(directory).build().start();
                Client client = Client.admin(first)) {
            token = first.adminToken();
            authority = first.caCertificate();
            version = client.post(WIDGETS, widget("a", "red")).at("/metadata/resourceVersion");
        }
        try (ApiServer second = Servers.withWidgets().stateDir(directory).build().start();
                Client client = new Client(second, token)) {
            assertThat(second.caCertificate()).isEqualTo(authority);
            assertThat(client.get(WIDGETS + "/a").at("/metadata/resourceVersion"))
                    .isEqualTo(version);
        }
    }

    @Test
    void keysAreReadableByTheirOwnerAlone() throws IOException {
        try (ApiServer server = Servers.withWidgets().stateDir(directory).build()) {
            assertThat(server.adminToken()).isNotEmpty();
            for (String file : new String[] {"tls.p12", "token.key"}) {
                assertThat(Files.getPosixFilePermissions(directory.resolve(file)))
                        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
            }
        }
    }

    @Test
    void aPortThatIsTakenIsNamed() throws IOException {
        try (ApiServer first = Servers.withWidgets().build().start();
                ApiServer second = Servers.withWidgets().port(first.url().getPort()).build()) {
            assertThatThrownBy(second::start)
                    .isInstanceOf(PortInUseException.class)
                    .hasMessageContaining("Port " + first.url().getPort() + " is in use");
        }
    }
}
