package io.coil.admin.problem;

import io.coil.kubernetes.api.ApiFailure;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.resource.NoResourceFoundException;

import java.io.IOException;
import java.util.stream.Collectors;

/** Makes a {@link Problem} of every exception that leaves a handler. */
@ControllerAdvice
final class ProblemAdvice {
    private static final Logger LOG = LoggerFactory.getLogger(ProblemAdvice.class);

    private final ProblemPages problems;

    ProblemAdvice(ProblemPages problems) {
        this.problems = problems;
    }

    @ExceptionHandler(Exception.class)
    void handle(Exception failure, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        if (response.isCommitted()) {
            LOG.atDebug().setCause(failure).log("the other end is gone");
            return;
        }
        if (failure instanceof ErrorResponse told) {
            // What a program needs to do better: Allow, Accept.
            told.getHeaders()
                    .forEach((name, values) -> values.forEach(v -> response.addHeader(name, v)));
        }
        problems.write(request, response, problem(failure, request));
    }

    private static Problem problem(Exception failure, HttpServletRequest request) {
        return switch (failure) {
            case Refusal refusal -> refusal.problem();
            case ApiFailure api -> Problem.of(api);
            case NoResourceFoundException nothing ->
                    Problem.of(
                            HttpStatus.NOT_FOUND,
                            "There is no such page",
                            "Nothing is served at " + request.getRequestURI() + ".");
            case HttpRequestMethodNotSupportedException method ->
                    Problem.of(
                            HttpStatus.METHOD_NOT_ALLOWED,
                            "That is not possible here",
                            "%s is not served at %s; possible: %s."
                                    .formatted(
                                            method.getMethod(),
                                            request.getRequestURI(),
                                            method.getSupportedHttpMethods()));
            case HttpMediaTypeNotSupportedException type ->
                    Problem.of(
                            HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                            "The body has a type that is not read here",
                            "It is %s; send application/json. Nothing has been done."
                                    .formatted(type.getContentType()));
            case HttpMediaTypeNotAcceptableException type ->
                    Problem.of(
                            HttpStatus.NOT_ACCEPTABLE,
                            "It cannot be had in that format",
                            "The Accept header is %s; possible: %s."
                                    .formatted(
                                            request.getHeader("Accept"),
                                            type.getSupportedMediaTypes().stream()
                                                    .map(Object::toString)
                                                    .collect(Collectors.joining(", "))));
            case HttpMessageNotReadableException unreadable ->
                    Problem.of(
                            HttpStatus.BAD_REQUEST,
                            "The body cannot be read",
                            Unreadable.why(unreadable) + ". Nothing has been done.");
            case MethodArgumentTypeMismatchException parameter ->
                    Problem.of(
                            HttpStatus.BAD_REQUEST,
                            "A parameter cannot be read",
                            "%s cannot be \"%s\". Nothing has been done."
                                    .formatted(parameter.getName(), parameter.getValue()));
            case ErrorResponse told -> told(told, failure);
            default -> broken(failure, request);
        };
    }

    private static Problem told(ErrorResponse told, Exception failure) {
        HttpStatus status = HttpStatus.resolve(told.getStatusCode().value());
        String detail = told.getBody().getDetail();
        return Problem.of(
                status == null ? HttpStatus.INTERNAL_SERVER_ERROR : status,
                String.valueOf(told.getBody().getTitle()),
                detail == null ? String.valueOf(failure.getMessage()) : detail);
    }

    private static Problem broken(Exception failure, HttpServletRequest request) {
        LOG.atError()
                .addKeyValue("method", request.getMethod())
                .addKeyValue("path", request.getRequestURI())
                .setCause(failure)
                .log("a request could not be served");
        return Problem.of(
                HttpStatus.INTERNAL_SERVER_ERROR,
                "Something is broken here",
                "It is in the log of this program. If something was to be changed, see first whether it was.");
    }
}
