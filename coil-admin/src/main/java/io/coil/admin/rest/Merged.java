package io.coil.admin.rest;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.parameters.Parameter;

import org.springdoc.core.customizers.OpenApiCustomizer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where a parameter chooses between two answers of one path, they are one operation in the
 * description: each parameter once, and none of the query required.
 */
final class Merged implements OpenApiCustomizer {

    @Override
    public void customise(OpenAPI description) {
        if (description.getPaths() != null) {
            description
                    .getPaths()
                    .values()
                    .forEach(path -> path.readOperations().forEach(Merged::tidied));
        }
    }

    private static void tidied(Operation operation) {
        if (operation.getParameters() == null) {
            return;
        }
        Map<String, Parameter> once = new LinkedHashMap<>();
        for (Parameter parameter : operation.getParameters()) {
            once.putIfAbsent(parameter.getIn() + " " + parameter.getName(), parameter);
        }
        if (once.size() < operation.getParameters().size()) {
            once.values().stream()
                    .filter(parameter -> "query".equals(parameter.getIn()))
                    .forEach(parameter -> parameter.setRequired(false));
            operation.setParameters(new ArrayList<>(once.values()));
        }
    }
}
