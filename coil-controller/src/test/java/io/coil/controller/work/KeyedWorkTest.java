package io.coil.controller.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.time.Timeline;
import io.coil.kubernetes.time.VirtualThreads;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

class KeyedWorkTest {
    private final Timeline timeline = new VirtualThreads();
    private final AtomicBoolean leading = new AtomicBoolean(true);
    private final List<KeyedWork<String>> works = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        works.forEach(KeyedWork::stop);
    }

    @Test
    void atMostSoManyAtOnceAndOneAtATimePerKey() {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger looks = new AtomicInteger();
        Map<String, AtomicInteger> perKey = new ConcurrentHashMap<>();
        AtomicBoolean overlapped = new AtomicBoolean();
        KeyedWork<String> work =
                work(
                        3,
                        key -> {
                            most.accumulateAndGet(now.incrementAndGet(), Math::max);
                            AtomicInteger own =
                                    perKey.computeIfAbsent(key, k -> new AtomicInteger());
                            if (own.incrementAndGet() > 1) {
                                overlapped.set(true);
                            }
                            timeline.sleep(Duration.ofMillis(5));
                            own.decrementAndGet();
                            now.decrementAndGet();
                            looks.incrementAndGet();
                            return null;
                        });

        for (int i = 0; i < 100; i++) {
            work.ask("k" + i % 10);
        }

        await().until(() -> work.pending() == 0);
        assertThat(most).hasValue(3);
        assertThat(overlapped).isFalse();
        assertThat(looks.get()).isBetween(10, 100);
    }

    @Test
    void anAskDuringALookIsLookedAtAgain() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger looks = new AtomicInteger();
        KeyedWork<String> work =
                work(
                        1,
                        key -> {
                            looks.incrementAndGet();
                            begun.countDown();
                            goOn.await();
                            return null;
                        });
        work.ask("a");
        begun.await();

        work.ask("a");
        work.ask("a");
        goOn.countDown();

        await().until(() -> work.pending() == 0);
        assertThat(looks).hasValue(2);
    }

    @Test
    void whatFailsIsTriedAgainAndStopsNothingElse() {
        AtomicInteger tries = new AtomicInteger();
        List<String> done = new CopyOnWriteArrayList<>();
        KeyedWork<String> work =
                work(
                        1,
                        key -> {
                            if (key.equals("bad") && tries.incrementAndGet() < 4) {
                                throw new ApiFailure.Transient(
                                        500, "InternalError", "no", Duration.ZERO, null);
                            }
                            done.add(key);
                            return null;
                        });

        work.ask("bad");
        work.ask("good");

        await().until(() -> done.size() == 2);
        assertThat(done).containsExactly("good", "bad");
        assertThat(tries).hasValue(4);
    }

    @Test
    void aLookCanAskForAnotherOneLater() {
        AtomicInteger looks = new AtomicInteger();
        work(1, key -> looks.incrementAndGet() < 3 ? Duration.ofMillis(10) : null).ask("a");

        await().until(() -> looks.get() == 3);
    }

    @Test
    void whoNoLongerLeadsStartsNothing() {
        AtomicInteger looks = new AtomicInteger();
        KeyedWork<String> work =
                work(
                        1,
                        key -> {
                            looks.incrementAndGet();
                            leading.set(false);
                            return null;
                        });

        work.ask("a");
        work.ask("b");

        await().during(Duration.ofMillis(300)).until(() -> looks.get() <= 1);
        assertThat(looks).hasValue(1);
    }

    private KeyedWork<String> work(int atOnce, KeyedWork.Look<String> look) {
        KeyedWork<String> work = new KeyedWork<>(timeline, "test", atOnce, leading::get, look);
        works.add(work);
        work.start();
        return work;
    }
}
