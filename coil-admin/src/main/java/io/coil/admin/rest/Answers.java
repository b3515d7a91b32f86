package io.coil.admin.rest;

import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;

import org.springdoc.core.customizers.OperationCustomizer;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;

import java.lang.annotation.Annotation;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * What all operations of one sort have in common in the description: the parameters of lists, the
 * headers of answers, and every way in which they can be refused.
 */
final class Answers implements OperationCustomizer {

    @Override
    public Operation customize(Operation operation, HandlerMethod handler) {
        RequestMapping mapping =
                AnnotatedElementUtils.findMergedAnnotation(
                        handler.getMethod(), RequestMapping.class);
        boolean reads = mapping != null && List.of(mapping.method()).contains(RequestMethod.GET);
        boolean list = handler.getReturnType().getParameterType() == Page.class;
        ApiResponses responses = operation.getResponses();
        if (reads) {
            reading(operation, responses, list);
        }
        if (Arrays.stream(handler.getMethodParameters())
                .anyMatch(p -> p.getParameterType() == Part.class)) {
            part(operation);
        }
        refusals(responses, reads, list, handler);
        return operation;
    }

    private static void refusals(
            ApiResponses responses, boolean reads, boolean list, HandlerMethod handler) {
        add(responses, Refusals.BAD_REQUEST);
        add(responses, Refusals.UNAUTHORIZED);
        add(responses, Refusals.FORBIDDEN);
        if (has(handler, PathVariable.class)) {
            add(responses, Refusals.NOT_FOUND);
        }
        add(responses, Refusals.NOT_ACCEPTABLE);
        if (list) {
            add(responses, Refusals.GONE);
        }
        if (!reads) {
            add(responses, Refusals.CONFLICT);
            add(responses, Refusals.UNPROCESSABLE);
        }
        if (has(handler, RequestBody.class)) {
            add(responses, Refusals.UNSUPPORTED);
        }
        add(responses, Refusals.TOO_MANY);
        add(responses, Refusals.UNAVAILABLE);
    }

    private static void add(ApiResponses responses, Refusals refusal) {
        if (!responses.containsKey(refusal.code())) {
            responses.addApiResponse(refusal.code(), refusal.reference());
        }
    }

    private static boolean has(HandlerMethod handler, Class<? extends Annotation> annotation) {
        return Arrays.stream(handler.getMethodParameters())
                .anyMatch((MethodParameter p) -> p.hasParameterAnnotation(annotation));
    }

    private static void reading(Operation operation, ApiResponses responses, boolean list) {
        operation.addParametersItem(
                query(
                        "fields",
                        "only these fields, separated by commas; a dot leads inside",
                        schema("string")));
        operation.addParametersItem(
                new Parameter()
                        .in("header")
                        .name("If-None-Match")
                        .description(
                                "an ETag: 304 if the answer would say the same, but for its age")
                        .schema(schema("string")));
        ApiResponse ok = responses.get("200");
        if (ok == null) {
            return;
        }
        ok.addHeaderObject("Coil-As-Of", header("when it was true", "string"));
        ok.addHeaderObject("Age", header("seconds since then", "integer"));
        ok.addHeaderObject("ETag", header("stands for what is said, but for its age", "string"));
        if (list) {
            ok.addHeaderObject("Coil-Total", header("items in the whole list", "integer"));
            ok.addHeaderObject("Link", header("the next part, if there is one", "string"));
        }
        if (ok.getContent() != null && ok.getContent().containsKey("text/csv")) {
            ok.getContent().put("text/csv", new MediaType().schema(schema("string")));
        }
        responses.addApiResponse("304", new ApiResponse().description("You have it already"));
    }

    private static void part(Operation operation) {
        Schema<?> limit = schema("integer");
        limit.setMinimum(BigDecimal.ONE);
        limit.setMaximum(BigDecimal.valueOf(Part.MOST));
        operation.addParametersItem(query("limit", "items at most", limit));
        operation.addParametersItem(
                query(
                        "continue",
                        "the next of an answer, as it is: the part after that one. Good for %d minutes from the first part"
                                .formatted(Continue.LIFE.toMinutes()),
                        schema("string")));
        operation.addParametersItem(
                query(
                        "sort",
                        "fields, separated by commas, - before one turns it round; what is not known comes last",
                        schema("string")));
    }

    private static Parameter query(String name, String meaning, Schema<?> schema) {
        return new Parameter().in("query").name(name).description(meaning).schema(schema);
    }

    private static Header header(String meaning, String type) {
        return new Header().description(meaning).schema(schema(type));
    }

    private static Schema<?> schema(String type) {
        Schema<?> schema = new JsonSchema();
        schema.setTypes(Set.of(type));
        return schema;
    }
}
