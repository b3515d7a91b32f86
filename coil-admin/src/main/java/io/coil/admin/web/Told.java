package io.coil.admin.web;

import io.coil.admin.problem.Refusal;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Supplier;

/**
 * What the history answers, or why it does not: a page is shown without it.
 *
 * @param why a sentence; null: it has answered
 */
public record Told<T>(List<T> rows, @Nullable String why) {

    static <T> Told<T> of(Supplier<List<T>> question) {
        try {
            return new Told<>(question.get(), null);
        } catch (Refusal refusal) {
            return new Told<>(List.of(), refusal.problem().detail());
        }
    }
}
