package io.coil.sandbox.log;

import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;

import io.coil.apiserver.http.ApiStream;
import io.coil.apiserver.rest.LogSource;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Takes every log line and keeps those that belong to a pod. */
public final class PodLogs extends AppenderBase<ILoggingEvent> implements LogSource {
    private static final String PATTERN =
            "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{20} %msg %kvp%n%ex{4}";

    private final Map<String, PodLog> logs = new ConcurrentHashMap<>();
    private final PatternLayout layout = new PatternLayout();

    @Override
    public void start() {
        layout.setContext(getContext());
        layout.setPattern(PATTERN);
        layout.start();
        super.start();
    }

    @Override
    protected void append(ILoggingEvent event) {
        String pod = CurrentPod.name();
        if (pod != null) {
            add(pod, Instant.ofEpochMilli(event.getTimeStamp()), layout.doLayout(event));
        }
    }

    /** {@code text} may be several lines, each with its end. */
    void add(String pod, Instant time, String text) {
        logs.computeIfAbsent(pod, p -> new PodLog()).add(time, text);
    }

    @Override
    public ApiStream open(LogQuery query) {
        PodLog log = logs.computeIfAbsent(query.namespace() + "/" + query.pod(), p -> new PodLog());
        return new Reading(log, query);
    }

    private static final class Reading implements ApiStream {
        private final PodLog log;
        private final LogQuery query;
        private long next;
        private boolean first = true;

        Reading(PodLog log, LogQuery query) {
            this.log = log;
            this.query = query;
        }

        @Override
        public Part next(Duration max) throws InterruptedException {
            if (!first && !query.follow()) {
                return new End();
            }
            List<PodLog.Line> lines = log.from(next);
            if (lines.isEmpty() && !first) {
                log.await(next, max);
                lines = log.from(next);
            }
            if (!lines.isEmpty()) {
                next = lines.getLast().number() + 1;
            }
            if (first) {
                first = false;
                lines = selected(lines, query.tailLines(), query.sinceSeconds());
            }
            StringBuilder text = new StringBuilder();
            lines.forEach(line -> text.append(text(line)));
            return text.isEmpty() ? new Quiet() : new Text(text.toString());
        }

        private String text(PodLog.Line line) {
            return query.timestamps() ? line.time() + " " + line.text() : line.text();
        }

        private static List<PodLog.Line> selected(
                List<PodLog.Line> lines, @Nullable Integer tail, @Nullable Integer seconds) {
            List<PodLog.Line> selected = lines;
            if (seconds != null) {
                Instant oldest = Instant.now().minusSeconds(seconds);
                selected = selected.stream().filter(l -> !l.time().isBefore(oldest)).toList();
            }
            if (tail != null && tail >= 0 && selected.size() > tail) {
                selected = selected.subList(selected.size() - tail, selected.size());
            }
            return selected;
        }

        @Override
        public void close() {}
    }
}
