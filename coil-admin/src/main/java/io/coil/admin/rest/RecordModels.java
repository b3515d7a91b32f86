package io.coil.admin.rest;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JavaType;

import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.util.Json31;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.Schema;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Says of each field of a record whether it can be null, as the record says it; in answers all
 * fields are always there.
 */
final class RecordModels implements ModelConverter {

    @Override
    public boolean isOpenapi31() {
        return true;
    }

    @Override
    public @Nullable Schema<?> resolve(
            AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> chain) {
        Schema<?> resolved = chain.hasNext() ? chain.next().resolve(type, context, chain) : null;
        JavaType java = Json31.mapper().constructType(type.getType());
        if (resolved == null || java == null || !java.getRawClass().isRecord()) {
            return resolved;
        }
        String reference = resolved.get$ref();
        Schema<?> model =
                reference == null
                        ? resolved
                        : context.getDefinedModels()
                                .get(reference.substring(reference.lastIndexOf('/') + 1));
        if (model != null && model.getProperties() != null) {
            complete(model, java.getRawClass());
        }
        return resolved;
    }

    @SuppressWarnings("rawtypes") // the library has them so
    private static void complete(Schema<?> model, Class<?> record) {
        Map<String, Schema> properties = new LinkedHashMap<>(model.getProperties());
        List<String> required = new ArrayList<>();
        for (RecordComponent component : record.getRecordComponents()) {
            String name = component.getName();
            Schema<?> property = properties.get(name);
            if (property == null
                    || component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
                continue;
            }
            boolean nullable =
                    component.getAnnotatedType().isAnnotationPresent(Nullable.class)
                            || component.getType() == Object.class;
            if (nullable) {
                properties.put(name, orNull(property));
            } else {
                required.add(name);
            }
        }
        model.setProperties(properties);
        if (!required.isEmpty()) {
            model.setRequired(required);
        }
    }

    private static Schema<?> orNull(Schema<?> property) {
        if (property.get$ref() != null) {
            Schema<?> nothing = new JsonSchema();
            nothing.setTypes(Set.of("null"));
            Schema<?> either = new JsonSchema();
            either.setAnyOf(List.of(property, nothing));
            return either;
        }
        if (property.getTypes() != null && !property.getTypes().contains("null")) {
            Set<String> types = new LinkedHashSet<>(property.getTypes());
            types.add("null");
            property.setTypes(types);
        }
        return property;
    }
}
