package io.coil.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.core.settings.BadSettingException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.Map;

class AgentSettingsTest {

    @Test
    @DisplayName("F5: a node name that cannot be a label's value is refused at the start, with why")
    void f5() {
        assertThatThrownBy(() -> AgentSettings.of("n".repeat(70), Map.of()))
                .isInstanceOfSatisfying(
                        BadSettingException.class,
                        e -> {
                            assertThat(e.name()).isEqualTo("coil.node-name");
                            assertThat(e.value()).isEqualTo("n".repeat(70));
                            assertThat(e.allowed()).contains("at most 63").contains("label");
                        });
        assertThat(AgentSettings.of("n".repeat(63), Map.of()).nodeName()).hasSize(63);
    }

    @Test
    void routesStayAtTheEndUnlessSomebodySaysOtherwise() {
        assertThat(AgentSettings.of("n1", Map.of()).clearRoutesOnShutdown()).isFalse();
        assertThat(
                        AgentSettings.of(
                                        "n1", Map.of("coil.agent.clear-routes-on-shutdown", "true"))
                                .clearRoutesOnShutdown())
                .isTrue();
        assertThatThrownBy(
                        () ->
                                AgentSettings.of(
                                        "n1", Map.of("coil.agent.clear-routes-on-shutdown", "yes")))
                .isInstanceOf(BadSettingException.class)
                .hasMessageContaining("true or false");
    }
}
