package io.coil.kubernetes.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.annotations.SerializedName;

import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.Kinds;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The Java types and the definitions in the chart say the same. */
class CrdsTest {
    static List<Kind<?>> kinds() {
        return List.of(Kinds.POOLS, Kinds.BLOCKS, Kinds.REQUESTS, Kinds.USAGES, Kinds.COLLECTIONS);
    }

    @Test
    void eachKindHasItsFile() {
        assertThat(Crds.files())
                .containsExactlyInAnyOrderElementsOf(
                        kinds().stream().map(k -> k.plural() + ".yaml").toList());
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aDefinitionNamesTheKindAsWeAskForIt(Kind<?> kind) throws Exception {
        Map<String, Object> spec = spec(kind);

        Map<String, Object> names = map(spec.get("names"));
        assertThat(spec.get("group")).isEqualTo(kind.group());
        assertThat(names.get("plural")).isEqualTo(kind.plural());
        assertThat(names.get("kind")).isEqualTo(kind.kind());
        assertThat(spec.get("scope")).isEqualTo(kind.namespaced() ? "Namespaced" : "Cluster");
        assertThat(version(spec).get("name")).isEqualTo(kind.version());
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyFieldHasItsPropertyAndEveryPropertyItsField(Kind<?> kind) throws Exception {
        Map<String, Object> schema =
                map(map(version(spec(kind)).get("schema")).get("openAPIV3Schema"));

        assertThat(ofSchema(schema)).isEqualTo(ofFields(kind.type()));
    }

    private static Map<String, Object> spec(Kind<?> kind) throws Exception {
        try (InputStream yaml = Crds.open(kind.plural() + ".yaml")) {
            return map(map(new Yaml().load(yaml)).get("spec"));
        }
    }

    private static Map<String, Object> version(Map<String, Object> spec) {
        List<?> versions = (List<?>) spec.get("versions");
        assertThat(versions).hasSize(1);
        return map(versions.getFirst());
    }

    /** Property to type: text, or the same for the properties of an object, or a list of one. */
    private static Map<String, Object> ofSchema(Map<String, Object> schema) {
        Map<String, Object> shape = new LinkedHashMap<>();
        Map<String, Object> properties = map(schema.get("properties"));
        properties.forEach((name, property) -> shape.put(name, ofProperty(map(property))));
        return shape;
    }

    private static Object ofProperty(Map<String, Object> property) {
        String type = String.valueOf(property.get("type"));
        return switch (type) {
            case "object" -> property.containsKey("properties") ? ofSchema(property) : Map.of();
            case "array" -> List.of(ofProperty(map(property.get("items"))));
            default -> property.containsKey("format") ? type + " " + property.get("format") : type;
        };
    }

    private static Map<String, Object> ofFields(Class<?> type) {
        Map<String, Object> shape = new LinkedHashMap<>();
        for (Field field : type.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                SerializedName name = field.getAnnotation(SerializedName.class);
                shape.put(
                        name == null ? field.getName() : name.value(),
                        ofType(field.getGenericType()));
            }
        }
        return shape;
    }

    private static Object ofType(Type type) {
        if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
            return List.of(ofType(list.getActualTypeArguments()[0]));
        }
        if (type == String.class) {
            return "string";
        }
        if (type == OffsetDateTime.class) {
            return "string date-time";
        }
        if (type == int.class || type == Integer.class) {
            return "integer int32";
        }
        if (type == long.class || type == Long.class) {
            return "integer int64";
        }
        if (type == boolean.class || type == Boolean.class) {
            return "boolean";
        }
        if (type == V1ObjectMeta.class) {
            return Map.of();
        }
        return ofFields((Class<?>) type);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(@Nullable Object yaml) {
        return (Map<String, Object>) Objects.requireNonNull(yaml);
    }
}
