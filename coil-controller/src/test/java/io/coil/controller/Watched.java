package io.coil.controller;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the calls by which orphan blocks are collected, and how many are under way at once. */
final class Watched implements InvocationHandler {
    private static final Set<String> VERBS = Set.of("get", "delete", "patch");

    private final KubeApi behind;
    private final AtomicLong calls = new AtomicLong();
    private final AtomicInteger now = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    Watched(KubeApi behind) {
        this.behind = behind;
    }

    KubeApi api() {
        return (KubeApi)
                Proxy.newProxyInstance(
                        KubeApi.class.getClassLoader(), new Class<?>[] {KubeApi.class}, this);
    }

    void reset() {
        calls.set(0);
        most.set(0);
    }

    long calls() {
        return calls.get();
    }

    int mostAtOnce() {
        return most.get();
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        boolean counts =
                VERBS.contains(method.getName())
                        && (arguments[0].equals(Kinds.BLOCKS) || arguments[0].equals(Kinds.NODES));
        if (counts) {
            calls.incrementAndGet();
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
        }
        try {
            return method.invoke(behind, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        } finally {
            if (counts) {
                now.decrementAndGet();
            }
        }
    }
}
