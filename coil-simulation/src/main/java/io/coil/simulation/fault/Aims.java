package io.coil.simulation.fault;

import io.coil.simulation.fault.Decision.Deed;
import io.coil.simulation.fault.Decision.Kind;
import io.coil.simulation.fault.Decision.Mishap;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Plans with an aim: what the traces of the model have in common, with times and spans by lot. Left
 * to chance alone, such things come together once in some thousand runs. They keep the assumptions
 * that all plans keep.
 */
final class Aims {
    /** One seed in so many has an aim. */
    private static final long EVERY = 2;

    private static final String AGENT = "n1-agent";
    private static final List<String> CONTROLLERS = List.of("controller-a", "controller-b");

    /** Bits of a block that is all that the pool of the name "other" has. */
    private static final double WHOLE_POOL = 3;

    private static final Map<String, Consumer<Aims>> ALL = new LinkedHashMap<>();

    static {
        ALL.put("orphan-race", Aims::orphanRace);
        ALL.put("watch-behind", Aims::watchBehind);
        ALL.put("finalizer-late", Aims::finalizerLate);
        ALL.put("finalizer-of-the-dead", Aims::finalizerOfTheDead);
        ALL.put("pool-gone", Aims::poolGone);
        ALL.put("pool-finalizer-late", Aims::poolFinalizerLate);
        ALL.put("guard-behind", Aims::guardBehind);
        ALL.put("leader-dies-after-create", Aims::leaderDiesAfterCreate);
        ALL.put("index-taken", Aims::indexTaken);
        ALL.put("return-unheard", Aims::returnUnheard);
        ALL.put("failed-unseen", Aims::failedUnseen);
        ALL.put("two-agents", Aims::twoAgents);
        ALL.put("fetched-too-late", Aims::fetchedTooLate);
        ALL.put("intent-late", Aims::intentLate);
    }

    private final SplittableRandom random;
    private final double grace;
    private final List<Decision> decisions = new ArrayList<>();

    private Aims(SplittableRandom random, Duration grace) {
        this.random = random;
        this.grace = grace.toMillis() / 1e3;
    }

    /** After so many seeds the aims come again, in the same order. */
    static long cycle() {
        return EVERY * ALL.size();
    }

    /** The first seed that has this aim. */
    static long firstSeed(String aim) {
        int which = List.copyOf(ALL.keySet()).indexOf(aim);
        if (which < 0) {
            throw new IllegalArgumentException("no aim is called " + aim + ": " + ALL.keySet());
        }
        return EVERY * which + EVERY - 1;
    }

    /** Whether this seed has an aim. */
    static boolean has(long seed) {
        return Math.floorMod(seed, EVERY) == EVERY - 1;
    }

    /**
     * What that aim decides; most of it befalls node n1 and the default pool.
     *
     * @param grace of orphans
     */
    static List<Decision> of(long seed, SplittableRandom random, Duration grace) {
        Aims aims = new Aims(random, grace);
        int which = (int) (Math.floorMod(seed, cycle()) / EVERY);
        List.copyOf(ALL.values()).get(which).accept(aims);
        return aims.decisions;
    }

    /** Where the times that a node goes are to be kept apart: this aim takes n1's. */
    static boolean takesNode(List<Decision> decided) {
        return decided.stream().anyMatch(d -> d instanceof Deed e && e.act() == Act.MACHINE_DIES);
    }

    /** The size of that pool's blocks, if the aim says one. */
    static long bits(List<Decision> decided, String pool, long otherwise) {
        return decided.stream()
                .filter(d -> d instanceof Deed e && e.at() == 0 && e.act() == Act.POOL)
                .map(Deed.class::cast)
                .filter(e -> e.target().equals(pool))
                .mapToLong(Deed::number)
                .findFirst()
                .orElse(otherwise);
    }

    private double between(double least, double most) {
        return least + random.nextDouble() * (most - least);
    }

    private void at(double seconds, Act act, String target, double number) {
        long nanos = (long) (seconds * TimeUnit.SECONDS.toNanos(1));
        decisions.add(new Deed(nanos, act, target, (long) number));
    }

    /** Number in milliseconds. */
    private void span(double seconds, Act act, String target, double howLong) {
        at(seconds, act, target, howLong * 1000);
    }

    private void pods(double from, int count, double apart, int node) {
        for (int i = 0; i < count; i++) {
            at(from + i * apart, Act.POD, "aim-" + decisions.size(), node);
        }
    }

    private void mishap(String calls, int call, Kind kind, double seconds) {
        Duration span = Duration.ofMillis((long) (seconds * 1000));
        decisions.add(new Mishap(calls, call, kind, span));
    }

    private void ofControllers(String calls, int from, int to, Kind kind, double seconds) {
        for (String controller : CONTROLLERS) {
            for (int call = from; call <= to; call++) {
                mishap(controller + " " + calls, call, kind, seconds);
            }
        }
    }

    private void ofAgent(String calls, int from, int to, Kind kind, double seconds) {
        for (int call = from; call <= to; call++) {
            mishap(AGENT + " " + calls, call, kind, seconds);
        }
    }

    /** The pool of those pods whose names begin with its own. */
    private void oneBlockOnly() {
        at(0, Act.POOL, "other", WHOLE_POOL);
    }

    /** A new machine of that name is back, and runs a pod, while its block is being collected. */
    private void orphanRace() {
        pods(5, 1, 0, 1);
        double dies = between(15, 40);
        double back = grace + between(0.5, 4);
        span(dies, Act.MACHINE_DIES, "n1", back);
        pods(dies + back + 0.1, 2, between(0.1, 1), 1);
        ofControllers("DELETE addressblocks", 1, 3, Kind.SLOW, between(5, 9));
        CONTROLLERS.forEach(c -> span(dies + grace - 2, Act.LAG, c, between(15, 40)));
    }

    /** A block goes back, and the watch still shows it while pods come. */
    private void watchBehind() {
        at(0, Act.POOL, "default", 1);
        double made = between(5, 20);
        at(made, Act.POD, "aim-first", 1);
        double ends = made + between(5, 15);
        span(ends - 1, Act.LAG, AGENT, between(60, 90));
        at(ends, Act.DELETE_POD, "aim-first", 0);
        pods(ends + between(11, 14), 12, between(2, 5), 1); // when its linger is over
    }

    /** The end of a block's finalizer comes when another block of its name is in use. */
    private void finalizerLate() {
        at(5, Act.POD, "aim-first", 1);
        double ends = between(10, 20);
        at(ends, Act.DELETE_POD, "aim-first", 0);
        ofAgent("PATCH addressblocks", 1, 1, Kind.LATE, between(1, 25));
        pods(ends + between(11, 14), 5, between(1, 4), 1);
        at(ends + between(40, 60), Act.DELETE_POOL, "default", 1);
        at(ends + 100, Act.POOL, "default", 1);
    }

    /** The same when its agent has died, has begun again, and finds a block that is going. */
    private void finalizerOfTheDead() {
        at(0, Act.POOL, "default", 1);
        at(5, Act.POD, "aim-first", 1);
        double ends = between(10, 20);
        at(ends, Act.DELETE_POD, "aim-first", 0);
        ofAgent("PATCH addressblocks", 1, 1, Kind.LATE, between(1, 8));
        span(ends + between(11, 13), Act.KILL, AGENT, between(0.1, 1)); // its linger is over
        pods(ends + between(13, 16), 3, between(0.5, 2), 1);
    }

    /** A block is made when its pool has gone, which the agent does not see yet. */
    private void poolGone() {
        double made = between(5, 10);
        ofControllers("CREATE addressblocks", 1, 2, Kind.SLOW, between(5, 9.9));
        pods(made, 2, 1, 1);
        at(made + between(0.2, 3), Act.DELETE_POOL, "default", random.nextInt(3));
        span(made, Act.LAG, AGENT, 60);
        span(0, Act.NO_COLLECTOR, "", between(60, 90));
        at(made + between(10, 60), Act.POOL, "default", random.nextInt(3));
    }

    /** The end of a pool's finalizer comes when another pool has its name. */
    private void poolFinalizerLate() {
        double ends = between(5, 10);
        double late = between(8, 25);
        at(ends, Act.DELETE_POOL, "default", 0);
        ofControllers("PATCH addresspools", 1, 1, Kind.LATE, late);
        ofControllers("PATCH addresspools", 3, 5, Kind.SLOW, 9.9);
        for (int i = 0; i < 5; i++) {
            at(ends + 10 + i, Act.POOL, "default", 0);
        }
        pods(ends + 15, 3, 0.5, 1);
        at(ends + 10 + late + between(0.5, 6), Act.DELETE_POOL, "default", 0);
    }

    /** A leader dies when it has made a block, of a pool with one block or with many. */
    private void leaderDiesAfterCreate() {
        boolean full = random.nextBoolean();
        if (full) {
            oneBlockOnly();
        }
        mishap("controller-a CREATE addressblocks", 1, Kind.DEATH_AFTER, 0);
        ofAgent("DELETE blockrequests", 1, 6, Kind.LOST, 1);
        at(between(5, 15), Act.POD, full ? "other-aim" : "aim", 1);
    }

    /** A block comes when its index was another's, and is free again. */
    private void indexTaken() {
        double made = between(4, 8);
        mishap("controller-a CREATE addressblocks", 1, Kind.LATE, between(55, 110));
        at(made, Act.POD, "aim-first", 1);
        span(made + between(1, 1.5), Act.KILL, "controller-a", 250);
        at(made + 2, Act.POD, "aim-second", 2);
        at(made + between(5, 8), Act.FOREIGN_BLOCK, "default", 2);
        at(made + between(40, 55), Act.DELETE_POD, "aim-second", 0);
    }

    /** The next leader guards a pool whose block it does not see yet. */
    private void guardBehind() {
        double begins = between(4, 6);
        at(begins, Act.CONTROLLER, "controller-b", 0);
        mishap("controller-b LIST addresspools", 1, Kind.SLOW, 9.9);
        span(begins + 1, Act.LAG, "controller-b", between(60, 120));
        at(begins + 2, Act.POD, "aim-first", 1);
        span(begins + between(4, 5), Act.KILL, "controller-a", 250);
        at(begins + between(5, 8), Act.DELETE_POOL, "default", 0);
        at(begins + 100, Act.POOL, "default", 1);
    }

    /** The answers to DELETEs of blocks are lost. */
    private void returnUnheard() {
        at(5, Act.POD, "aim-first", 1);
        at(between(10, 30), Act.DELETE_POD, "aim-first", 0);
        ofAgent("DELETE addressblocks", 1, 3, Kind.REPLY_LOST, 0);
    }

    /** An agent dies when it has asked, the pool is full, and its pod does not come again. */
    private void failedUnseen() {
        oneBlockOnly();
        at(5, Act.POD, "other-aim-has", 2);
        double made = between(15, 25);
        at(made, Act.POD, "other-aim-asks", 1);
        ofAgent("CREATE blockrequests", 1, 4, Kind.DEATH_AFTER, 0);
        at(made + between(0.5, 3), Act.DELETE_POD, "other-aim-asks", 0);
    }

    /** A second agent begins while the first gives a block back. */
    private void twoAgents() {
        at(5, Act.POD, "aim-first", 1);
        double ends = between(10, 20);
        at(ends, Act.DELETE_POD, "aim-first", 0);
        ofAgent("DELETE addressblocks", 1, 1, Kind.SLOW, between(4, 9.9));
        at(ends + between(0.2, 1), Act.SECOND_PROCESS, "n1", 0);
        at(ends + between(10.2, 11), Act.SECOND_PROCESS, "n1", 0);
        pods(ends + between(1.5, 13), 4, 0.5, 1);
    }

    /** A block was used and given back when its request is fetched once more. */
    private void fetchedTooLate() {
        double made = between(5, 15);
        at(made, Act.POD, "aim-first", 1);
        ofAgent("DELETE blockrequests", 1, 4, Kind.LOST, 1);
        at(made + between(1, 5), Act.DELETE_POD, "aim-first", 0);
    }

    /** An intent comes when its request has been granted another block. */
    private void intentLate() {
        at(0, Act.POOL, "default", 0);
        at(4, Act.POD, "aim-first", 2);
        double made = between(8, 12);
        at(made, Act.POD, "aim-second", 1);
        at(made + between(1, 4), Act.DELETE_POD, "aim-first", 0);
        mishap("controller-a STATUS blockrequests", 3, Kind.LATE, between(0.5, 15));
        ofAgent("DELETE blockrequests", 1, 3, Kind.LOST, 1);
    }
}
