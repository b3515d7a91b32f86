package io.coil.sandbox.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

import java.nio.file.Path;
import java.util.Map;

/** Where the log lines of everything in this process go: to their pods, and into one file. */
public final class Logging {
    private static final String PATTERN =
            "%d{HH:mm:ss.SSS} %-5level [%thread] %logger{20} %msg %kvp%n%ex{8}";
    private static final Map<String, Level> LEVELS =
            Map.of(
                    Logger.ROOT_LOGGER_NAME,
                    Level.INFO,
                    "org.springframework",
                    Level.WARN,
                    "org.apache",
                    Level.WARN,
                    "org.springdoc",
                    Level.WARN,
                    "okhttp3",
                    Level.WARN,
                    "org.flywaydb",
                    Level.ERROR,
                    "com.zaxxer.hikari",
                    Level.OFF);

    private Logging() {}

    /**
     * Must come before the first Spring context: each of them would set logging up anew, for all.
     */
    public static void keepSpringOut() {
        System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
        // Tomcat logs by java.util.logging.
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
    }

    /** {@code file} null: only the pods' own logs. */
    public static PodLogs start(@Nullable Path file) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.detachAndStopAllAppenders();
        LEVELS.forEach((name, level) -> context.getLogger(name).setLevel(level));
        PodLogs pods = new PodLogs();
        pods.setContext(context);
        pods.start();
        root.addAppender(pods);
        if (file != null) {
            root.addAppender(fileAppender(context, file));
        }
        return pods;
    }

    private static FileAppender<ILoggingEvent> fileAppender(LoggerContext context, Path file) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(PATTERN);
        encoder.start();
        FileAppender<ILoggingEvent> appender = new FileAppender<>();
        appender.setContext(context);
        appender.setFile(file.toString());
        appender.setAppend(false);
        appender.setEncoder(encoder);
        appender.start();
        return appender;
    }
}
