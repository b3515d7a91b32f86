package io.coil.simulation.check;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.AppenderBase;

import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

import java.util.function.BooleanSupplier;

/**
 * Listens to what the programs log while they run: an error is something that nobody expected, be
 * the task begun again or not (invariant 11).
 */
public final class Logs implements AutoCloseable {
    private final Logger logger;
    private final Listener listener;

    /** {@code ours}: whether the thread that logs is one of the run. */
    public Logs(Findings findings, BooleanSupplier ours) {
        this.listener = new Listener(findings, ours);
        if (LoggerFactory.getLogger("io.coil") instanceof Logger logback) {
            logger = logback;
        } else {
            throw new IllegalStateException("the log is not Logback's");
        }
        logger.setLevel(Level.ERROR);
        listener.setContext(logger.getLoggerContext());
        listener.start();
        logger.addAppender(listener);
    }

    @Override
    public void close() {
        logger.detachAppender(listener);
        listener.stop();
    }

    private static final class Listener extends AppenderBase<ILoggingEvent> {
        private final Findings findings;
        private final BooleanSupplier ours;

        Listener(Findings findings, BooleanSupplier ours) {
            this.findings = findings;
            this.ours = ours;
        }

        @Override
        protected void append(ILoggingEvent event) {
            if (event.getLevel().isGreaterOrEqual(Level.ERROR) && ours.getAsBoolean()) {
                findings.violated(
                        11,
                        "error logged: %s %s%s"
                                .formatted(
                                        event.getFormattedMessage(),
                                        event.getKeyValuePairs(),
                                        cause(event.getThrowableProxy())));
            }
        }

        private static String cause(@Nullable IThrowableProxy thrown) {
            if (thrown == null) {
                return "";
            }
            StackTraceElementProxy[] stack = thrown.getStackTraceElementProxyArray();
            return ": %s: %s%s"
                    .formatted(
                            thrown.getClassName(),
                            thrown.getMessage(),
                            stack.length == 0 ? "" : " " + stack[0]);
        }
    }
}
