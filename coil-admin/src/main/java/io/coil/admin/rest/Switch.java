package io.coil.admin.rest;

import io.coil.admin.problem.Problem;
import io.coil.core.pool.CollectionMode;
import io.swagger.v3.oas.annotations.media.Schema;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Bodies of requests that set a switch. */
final class Switch {
    private Switch() {}

    /**
     * To drain, or to end that.
     *
     * @param drain true unless it is said
     * @param reason why; required
     */
    record Drain(
            @Schema(defaultValue = "true") @Nullable Boolean drain,
            @Schema(example = "rack b is moved on Friday") @Nullable String reason) {

        boolean wanted() {
            return drain == null || drain;
        }
    }

    /**
     * How far collection may go.
     *
     * @param mode on, manual or off; null: say nothing here, what is said for everything holds
     * @param reason why; required
     */
    record Mode(
            @Schema(
                            example = "manual",
                            allowableValues = {"on", "manual", "off"})
                    @Nullable String mode,
            @Schema(example = "hunting a leak, keep the evidence") @Nullable String reason) {

        @Nullable CollectionMode wanted() {
            if (mode == null) {
                return null;
            }
            return CollectionMode.parse(mode)
                    .orElseThrow(
                            () ->
                                    Problem.refused(
                                                    List.of(
                                                            "mode is \"%s\": allowed is on, manual, off or null"
                                                                    .formatted(mode)))
                                            .thrown());
        }
    }

    static String said(@Nullable String reason) {
        return reason == null ? "" : reason;
    }
}
