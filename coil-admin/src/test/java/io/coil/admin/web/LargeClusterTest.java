package io.coil.admin.web;

import static io.coil.admin.snapshot.Sight.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.admin.snapshot.Current;
import io.coil.admin.snapshot.Sight;
import io.coil.admin.snapshot.Snapshot;
import io.coil.kubernetes.resource.NodeBlockUsage;
import io.coil.kubernetes.time.VirtualThreads;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.ui.ExtendedModelMap;
import org.thymeleaf.context.Context;
import org.thymeleaf.context.IExpressionContext;
import org.thymeleaf.linkbuilder.StandardLinkBuilder;
import org.thymeleaf.spring6.SpringTemplateEngine;
import org.thymeleaf.templateresolver.ClassLoaderTemplateResolver;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

/** 5,000 nodes with 4 blocks each: a page is ready within 200 ms, median. */
class LargeClusterTest {
    private static final int NODES = 5000;
    private static final int ROUNDS = 15;
    private static Current now;

    @BeforeAll
    static void given() {
        Sight sight = new Sight().pool("default", 1, "10.0.0.0/15");
        for (int n = 0; n < NODES; n++) {
            String node = "node-" + n;
            sight.node(node);
            var reported = new NodeBlockUsage.Block[4];
            for (int b = 0; b < 4; b++) {
                int index = n * 4 + b;
                int address = index * 2;
                String range =
                        "10.%d.%d.%d/31"
                                .formatted(address >> 16, address >> 8 & 255, address & 255);
                sight.block("default", index, node, range);
                reported[b] = usage("default-" + index, b % 3, "serving", Duration.ofMinutes(1));
            }
            sight.report(node, reported);
        }
        Snapshot snapshot = sight.snapshot();
        assertThat(snapshot.nodes()).hasSize(NODES);
        now = new Current(snapshot, Sight.NOW, Duration.ofSeconds(2), true);
    }

    @Test
    void thePageOfNodes() {
        NodesPage page = new NodesPage(new VirtualThreads());
        SpringTemplateEngine engine = engine();
        long[] times = new long[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            long start = System.nanoTime();
            ExtendedModelMap model = new ExtendedModelMap();
            page.show(now, "", "", "", "", "", "3", model);
            model.put("shell", shell());
            String html = engine.process("nodes", new Context(Locale.ROOT, model));
            times[i] = System.nanoTime() - start;
            assertThat(html).contains("Nodes 101 to 150 of 5000").contains("node-");
        }
        Arrays.sort(times);
        assertThat(Duration.ofNanos(times[ROUNDS / 2])).isLessThan(Duration.ofMillis(200));
    }

    private static Shell shell() {
        return new Shell(
                "1.0.0",
                "large",
                "someone",
                true,
                new May(right -> true),
                "nodes",
                "/nodes",
                null,
                null);
    }

    private static SpringTemplateEngine engine() {
        ClassLoaderTemplateResolver pages = new ClassLoaderTemplateResolver();
        pages.setPrefix("console/pages/");
        pages.setSuffix(".html");
        SpringTemplateEngine engine = new SpringTemplateEngine();
        engine.setTemplateResolver(pages);
        engine.setLinkBuilder(
                new StandardLinkBuilder() {
                    @Override
                    protected String computeContextPath(
                            IExpressionContext context,
                            String base,
                            Map<String, Object> parameters) {
                        return "";
                    }
                });
        return engine;
    }
}
