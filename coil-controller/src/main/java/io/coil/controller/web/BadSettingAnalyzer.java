package io.coil.controller.web;

import io.coil.core.settings.BadSettingException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * A setting that is not allowed ends the start with its name, its value and what is allowed, not
 * with a stack trace.
 */
class BadSettingAnalyzer extends AbstractFailureAnalyzer<BadSettingException> {
    @Override
    protected FailureAnalysis analyze(Throwable root, BadSettingException cause) {
        return new FailureAnalysis(
                "The setting %s is \"%s\".".formatted(cause.name(), cause.value()),
                "Allowed is %s.".formatted(cause.allowed()),
                cause);
    }
}
