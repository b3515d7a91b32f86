package io.coil.admin;

import io.coil.admin.snapshot.Rules;
import io.coil.core.pool.CollectionMode;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.env.Environment;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * What can be set, read once. A value that cannot be used ends the start with its name, the value
 * and what is allowed.
 *
 * @param cluster shown on every page, so that nobody acts on the wrong one
 * @param kubeconfig file that says where the API is; null: the cluster that we run in
 * @param rules by which blocks are judged; given to agents and controller under the same names
 */
public record AdminSettings(String cluster, @Nullable Path kubeconfig, Rules rules) {

    static AdminSettings of(Environment environment) {
        Reader reader = new Reader(environment);
        return new AdminSettings(
                environment.getProperty("coil.admin.cluster", ""),
                Optional.ofNullable(environment.getProperty("coil.kubeconfig"))
                        .filter(text -> !text.isBlank())
                        .map(Path::of)
                        .orElse(null),
                new Rules(
                        reader.value(
                                "coil.collection",
                                CollectionMode.ON,
                                "on, manual or off",
                                CollectionMode::parse),
                        reader.duration("coil.agent.linger", Rules.DEFAULT.linger()),
                        reader.value(
                                "coil.agent.spare-blocks",
                                Rules.DEFAULT.spareBlocks(),
                                "a whole number from 0",
                                AdminSettings::count),
                        reader.duration("coil.controller.node-grace", Rules.DEFAULT.nodeGrace()),
                        reader.duration("coil.admin.silent-after", Rules.DEFAULT.silentAfter())));
    }

    private static Optional<Integer> count(String text) {
        return text.matches("\\d{1,6}") ? Optional.of(Integer.valueOf(text)) : Optional.empty();
    }

    private record Reader(Environment environment) {

        Duration duration(String name, Duration otherwise) {
            return value(
                    name,
                    otherwise,
                    "a duration such as 30s, 5m or 1h",
                    text -> {
                        Duration duration = DurationStyle.detectAndParse(text);
                        return duration.isNegative() ? Optional.empty() : Optional.of(duration);
                    });
        }

        <T> T value(String name, T otherwise, String allowed, Function<String, Optional<T>> parse) {
            String text = environment.getProperty(name);
            if (text == null) {
                return otherwise;
            }
            Optional<T> value;
            try {
                value = parse.apply(text.strip());
            } catch (IllegalArgumentException e) {
                value = Optional.empty();
            }
            return value.orElseThrow(
                    () ->
                            new IllegalArgumentException(
                                    "setting %s is \"%s\": allowed is %s"
                                            .formatted(name, text, allowed)));
        }
    }
}
