package io.coil.admin.problem;

import io.coil.kubernetes.api.ApiFailure;

import org.springframework.http.HttpStatus;

import java.util.List;

/**
 * A request that is not served, and why. The sentences are for the person who asked.
 *
 * @param title what is wrong, short
 * @param detail what exactly, and what can be done
 * @param errors one sentence for each thing that is wrong with what was sent; often none
 */
public record Problem(HttpStatus status, String title, String detail, List<String> errors) {

    public static Problem of(HttpStatus status, String title, String detail) {
        return new Problem(status, title, detail, List.of());
    }

    public static Problem notFound(String kind, String name) {
        return of(
                HttpStatus.NOT_FOUND,
                "There is no " + kind + " " + name,
                "Names are matched exactly. If it is an old link: it may have gone since.");
    }

    /** Several things may be wrong with what was sent; nothing has been done. */
    public static Problem refused(List<String> errors) {
        return new Problem(
                HttpStatus.UNPROCESSABLE_CONTENT,
                "That cannot be done as asked",
                String.join("; ", errors) + ". Nothing has been done.",
                List.copyOf(errors));
    }

    /** What the Kubernetes API answered, for somebody who asked for a change. */
    public static Problem of(ApiFailure failure) {
        String said = String.valueOf(failure.getMessage());
        return switch (failure) {
            case ApiFailure.Transient t ->
                    of(
                            HttpStatus.SERVICE_UNAVAILABLE,
                            "The Kubernetes API is not answering",
                            "Try again in a little. If something was to be changed, see first whether it was: an answer may have been lost. The API's last word: "
                                    + said);
            case ApiFailure.Stale s ->
                    of(
                            HttpStatus.CONFLICT,
                            "It has changed meanwhile",
                            "Nothing has been done. The Kubernetes API says: " + said);
            case ApiFailure.Rejected r ->
                    of(
                            rejected(r.code()),
                            r.code() == 403 ? "You may not do that" : "The Kubernetes API refuses",
                            "Nothing has been done. It says: " + said);
        };
    }

    private static HttpStatus rejected(int code) {
        return switch (code) {
            case 401 -> HttpStatus.UNAUTHORIZED;
            case 403 -> HttpStatus.FORBIDDEN;
            default -> HttpStatus.UNPROCESSABLE_CONTENT;
        };
    }

    public Refusal thrown() {
        return new Refusal(this);
    }
}
