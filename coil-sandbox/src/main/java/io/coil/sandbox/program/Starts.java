package io.coil.sandbox.program;

import io.coil.sandbox.log.CurrentPod;
import io.kubernetes.client.openapi.models.V1Pod;

import org.springframework.context.ConfigurableApplicationContext;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Starts applications, as many at once as the machine has processors for: they do nothing but
 * compute, and each is up sooner if it does not share.
 */
final class Starts {
    private final AtomicInteger failures = new AtomicInteger();
    private volatile String lastFailure = "";

    private final Semaphore slots =
            new Semaphore(Math.max(2, Runtime.getRuntime().availableProcessors()));

    /** Runs {@code start} as that pod, on a thread of its own; an exception of it is the cause. */
    ConfigurableApplicationContext run(V1Pod pod, Callable<ConfigurableApplicationContext> start)
            throws InterruptedException {
        String name = pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
        CompletableFuture<ConfigurableApplicationContext> started = new CompletableFuture<>();
        slots.acquire();
        Thread.ofPlatform().name("start " + name).daemon().start(() -> start(name, start, started));
        try {
            return started.get();
        } catch (InterruptedException e) {
            // Nobody waits for it any more: it ends as soon as it is up.
            var _ = started.thenAccept(ConfigurableApplicationContext::close);
            throw e;
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            failures.incrementAndGet();
            lastFailure = name + ": " + reason(cause);
            throw new IllegalStateException(reason(cause), cause);
        }
    }

    int failures() {
        return failures.get();
    }

    /** Which program did not start, and why; empty if all did. */
    String lastFailure() {
        return lastFailure;
    }

    private void start(
            String name,
            Callable<ConfigurableApplicationContext> start,
            CompletableFuture<ConfigurableApplicationContext> started) {
        try {
            started.complete(CurrentPod.call(name, start::call));
        } catch (Exception | LinkageError e) {
            started.completeExceptionally(e);
        } finally {
            slots.release();
        }
    }

    private static String reason(Throwable failure) {
        Throwable deepest = failure;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return deepest.getMessage() == null ? deepest.toString() : deepest.getMessage();
    }
}
