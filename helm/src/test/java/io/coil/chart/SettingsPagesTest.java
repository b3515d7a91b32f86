package io.coil.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.admin.AdminSettings;
import io.coil.agent.AgentSettings;
import io.coil.controller.settings.ControllerSettings;
import io.coil.core.settings.Setting;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tables of settings in the manual are made from the code. With {@code -Dmanual=write} they are
 * written, else compared.
 */
class SettingsPagesTest {
    private static final String BEGIN = "<!-- made from the code: begin -->\n";
    private static final String END = "<!-- made from the code: end -->\n";

    static Stream<Arguments> programs() {
        return Stream.of(
                Arguments.of("admin", AdminSettings.ALL),
                Arguments.of("controller", ControllerSettings.ALL),
                Arguments.of("agent", AgentSettings.ALL));
    }

    @ParameterizedTest
    @MethodSource("programs")
    void thePageHasEverySettingAsTheCodeHasIt(String program, List<Setting<?>> settings)
            throws IOException {
        Path page = Path.of("../docs/settings-" + program + ".md");
        String text = Files.readString(page);
        int begin = text.indexOf(BEGIN) + BEGIN.length();
        String wanted =
                text.substring(0, begin) + table(settings) + text.substring(text.indexOf(END));

        if ("write".equals(System.getProperty("manual"))) {
            Files.writeString(page, wanted);
        }
        assertThat(Files.readString(page))
                .as("%s; ./mvnw -pl helm -am test -Dmanual=write makes it anew", page)
                .isEqualTo(wanted);
    }

    private static String table(List<Setting<?>> settings) {
        return "| setting | default | what | allowed |\n| --- | --- | --- | --- |\n"
                + settings.stream().map(SettingsPagesTest::row).collect(Collectors.joining());
    }

    private static String row(Setting<?> setting) {
        String fallback = setting.fallback() == null ? "" : "`" + setting.fallback() + "`";
        return "| `%s` | %s | %s | %s |\n"
                .formatted(setting.name(), fallback, setting.what(), allowed(setting))
                .replace("|  |", "| |");
    }

    /** How a time is written stands once, on the page of all settings. */
    private static String allowed(Setting<?> setting) {
        return setting.allowed().replaceFirst(", written like .*", "");
    }
}
