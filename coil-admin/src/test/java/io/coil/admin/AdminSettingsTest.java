package io.coil.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.admin.snapshot.Rules;

import org.junit.jupiter.api.Test;

import java.util.Map;

class AdminSettingsTest {

    @Test
    void defaultsAreThoseOfAgentsAndController() {
        AdminSettings settings = AdminSettings.read(Map.<String, String>of()::get);

        assertThat(settings.rules()).isEqualTo(Rules.DEFAULT);
        assertThat(settings.cluster()).isEmpty();
        assertThat(settings.kubeconfig()).isNull();
    }

    @Test
    void aBadValueIsNamedWithWhatIsAllowed() {
        Map<String, String> values = Map.of("coil.agent.linger", "soon");

        assertThatThrownBy(() -> AdminSettings.read(values::get))
                .hasMessageContaining("coil.agent.linger")
                .hasMessageContaining("soon")
                .hasMessageContaining("a time between 0s and 1d");
    }
}
