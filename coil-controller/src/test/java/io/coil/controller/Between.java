package io.coil.controller;

import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.KubeApi;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Something happens just before, or just after, a call takes effect; and what was called. */
final class Between implements InvocationHandler {
    private final KubeApi behind;
    private final String verb;
    private final Kind<?> kind;
    private final boolean before;
    private final Runnable happens;
    private final AtomicBoolean happened = new AtomicBoolean();
    private final List<String> calls = new ArrayList<>(); // guarded by itself

    private Between(KubeApi behind, String verb, Kind<?> kind, boolean before, Runnable happens) {
        this.behind = behind;
        this.verb = verb;
        this.kind = kind;
        this.before = before;
        this.happens = happens;
    }

    /** Once, before the first such call. */
    static Between before(String verb, Kind<?> kind, KubeApi behind, Runnable happens) {
        return new Between(behind, verb, kind, true, happens);
    }

    /** Once, after the first such call. */
    static Between after(String verb, Kind<?> kind, KubeApi behind, Runnable happens) {
        return new Between(behind, verb, kind, false, happens);
    }

    KubeApi api() {
        return (KubeApi)
                Proxy.newProxyInstance(
                        KubeApi.class.getClassLoader(), new Class<?>[] {KubeApi.class}, this);
    }

    boolean happened() {
        return happened.get();
    }

    /** Reads of one object and writes, as {@code delete addressblocks}, in their order. */
    List<String> calls() {
        synchronized (calls) {
            return List.copyOf(calls);
        }
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        Object first = arguments[0];
        boolean meant = method.getName().equals(verb) && kind.equals(first);
        if (first instanceof Kind<?> called
                && !List.of("list", "watch").contains(method.getName())) {
            synchronized (calls) {
                calls.add(method.getName() + " " + called.plural());
            }
        }
        if (meant && before && happened.compareAndSet(false, true)) {
            happens.run();
        }
        try {
            Object answer = method.invoke(behind, arguments);
            if (meant && !before && happened.compareAndSet(false, true)) {
                happens.run();
            }
            return answer;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
