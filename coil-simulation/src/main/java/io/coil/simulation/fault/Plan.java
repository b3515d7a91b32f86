package io.coil.simulation.fault;

import io.coil.simulation.fault.Decision.Deed;
import io.coil.simulation.fault.Decision.Kind;
import io.coil.simulation.fault.Decision.Mishap;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Decides a run beforehand, as a function of its seed. The assumptions under which the protocol is
 * right are kept here: a Node that is deleted by mistake is back well within the grace of orphans,
 * and does not go again before that grace is long over; the containers of a machine that dies are
 * gone with it.
 */
public final class Plan {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** How much of a run a deed takes. */
    private static final long PER_STEP = 5 * SECOND;

    /** Between two times that the Node of one name is away. */
    private static final long NODE_PEACE = 240 * SECOND;

    /**
     * Of a plan with an aim the rest is calmer by so much, and later, lest it never comes to it.
     */
    private static final int CALMER = 4;

    private final long seed;
    private final SplittableRandom random;
    private final int nodes;
    private final int pods;
    private final int steps;
    private final int faults;
    private final Duration grace;
    private final List<Decision> decisions = new ArrayList<>();
    private final Map<String, List<Long>> nodePeace = new HashMap<>();

    private Plan(long seed, int nodes, int pods, int steps, int faults, Duration grace) {
        this.grace = grace;
        this.seed = seed;
        this.random = new SplittableRandom(seed ^ 0x5DEECE66DL);
        this.nodes = nodes;
        this.pods = pods;
        this.steps = steps;
        this.faults = hasAim(seed) ? faults / CALMER : faults;
    }

    /**
     * All decisions of the run; each keeps its place in the list whichever are left out.
     *
     * @param grace of orphans: machines often come back just when it is over
     */
    public static List<Decision> of(
            long seed, int nodes, int pods, int steps, int faults, Duration grace) {
        Plan plan = new Plan(seed, nodes, pods, steps, faults, grace);
        plan.decide();
        return List.copyOf(plan.decisions);
    }

    /**
     * Seeds that are so far apart have plans of one sort: left to chance alone, or with one aim.
     */
    public static long cycle() {
        return Aims.cycle();
    }

    /** Whether the plan of that seed has an aim. */
    public static boolean hasAim(long seed) {
        return Aims.has(seed);
    }

    /**
     * The first seed of the plans with that aim.
     *
     * @throws IllegalArgumentException if no aim has that name; the message has all
     */
    public static long firstSeedWithAim(String aim) {
        return Aims.firstSeed(aim);
    }

    /** When the last deed is done, in virtual nanoseconds. */
    public static long length(int steps) {
        return 30 * SECOND + steps * PER_STEP;
    }

    private long length() {
        return length(steps);
    }

    private void decide() {
        List<Decision> aimed = hasAim(seed) ? Aims.of(seed, random, grace) : List.of();
        if (Aims.takesNode(aimed)) {
            nodePeace.put("n1", new ArrayList<>(List.of(NODE_PEACE / 4)));
        }
        poolAtFirst("default", Aims.bits(aimed, "default", random.nextInt(3)));
        poolAtFirst("other", Aims.bits(aimed, "other", random.nextInt(2)));
        for (int i = 1; i <= nodes; i++) {
            deed(0, Act.NODE, "n" + i, 0);
        }
        deed(0, Act.CONTROLLER, "controller-a", 0);
        deed(random.nextLong(20 * SECOND), Act.CONTROLLER, "controller-b", 0);
        boolean aims = !aimed.isEmpty();
        for (int i = 1; i <= (aims ? pods / 2 : pods); i++) {
            pod(i);
        }
        long calm = aims ? length() / 2 : 5 * SECOND;
        for (int i = 0; i < (aims ? steps / CALMER : steps); i++) {
            disturb(calm + random.nextLong(length() - 5 * SECOND - calm));
        }
        for (int i = 1; i <= nodes; i++) {
            Calls.AGENT.forEach(mishapsOf("n" + i + "-agent"));
        }
        Calls.CONTROLLER.forEach(mishapsOf("controller-a"));
        Calls.CONTROLLER.forEach(mishapsOf("controller-b"));
        decisions.addAll(aimed);
    }

    /**
     * Made before the first controller answers, so without the webhook, or after. An aim counts
     * calls, and no patch for a finalizer is to be among them.
     */
    private void poolAtFirst(String name, long bits) {
        long later = random.nextLong(2) * 5 * SECOND;
        deed(hasAim(seed) ? 0 : later, Act.POOL, name, hasAim(seed) ? bits + 16 : bits);
    }

    private void pod(int number) {
        String name = podName(number);
        long made = random.nextLong(length() * 3 / 4);
        deed(made, Act.POD, name, 1 + random.nextInt(nodes));
        if (random.nextInt(10) < 6) {
            deed(
                    made + random.nextLong(Math.max(SECOND, length() - made)),
                    Act.DELETE_POD,
                    name,
                    0);
        }
    }

    private static String podName(int number) {
        return (number % 3 == 0 ? "other-" : "pod-") + number;
    }

    private void disturb(long at) {
        int lot = random.nextInt(100);
        if (lot < 14) {
            deed(at, Act.KILL, process(), millis(100, 15_000));
        } else if (lot < 20) {
            deed(at, Act.RESTART, process(), millis(10, 5_000));
        } else if (lot < 28) {
            deed(at, Act.FREEZE, process(), millis(500, 40_000));
        } else if (lot < 35) {
            deed(at, Act.PARTITION, process(), millis(1_000, 40_000));
        } else if (lot < 45) {
            deed(at, Act.LAG, process(), millis(1_000, 60_000));
        } else if (lot < 49) {
            deed(at, Act.END_WATCHES, process(), random.nextInt(2));
        } else if (lot < 52) {
            deed(at, Act.CLOCK, process(), millis(-3_600_000, 3_600_000));
        } else if (lot < 56) {
            deed(at, Act.REBOOT, node(), millis(500, 20_000));
        } else if (lot < 60) {
            loseNode(at);
        } else if (lot < 63) {
            machineDies(at);
        } else if (lot < 64) {
            force(at);
        } else if (lot < 67) {
            deed(at, Act.KERNEL, node(), 1 + random.nextInt(4));
        } else if (lot < 68) {
            deed(at, Act.JOURNAL, node(), random.nextInt(3));
        } else if (lot < 74) {
            deed(at, Act.CONTAINER_DIES, somePod(), 0);
        } else if (lot < 79) {
            deed(at, Act.CONTAINER_FORGOTTEN, somePod(), 0);
        } else if (lot < 84) {
            deed(at, Act.DELETE_BLOCK, "", random.nextInt(1000));
        } else if (lot < 87) {
            deed(at, Act.DELETE_REQUEST, "", random.nextInt(1000));
        } else if (lot < 89) {
            deed(at, Act.TOUCH_BLOCK, "", random.nextInt(1000));
        } else if (lot < 92) {
            deed(at, Act.FOREIGN_BLOCK, pool(), 1 + random.nextInt(nodes));
        } else if (lot < 96) {
            deed(at, Act.COLLECT, "", random.nextInt(3));
        } else if (lot < 97) {
            deed(
                    at,
                    random.nextBoolean() ? Act.NO_COLLECTOR : Act.WEBHOOK_AWAY,
                    "",
                    millis(10_000, 120_000));
        } else if (lot < 98) {
            deed(at, Act.FORGET_HISTORY, "", 0);
        } else {
            poolAgain(at);
        }
    }

    private void loseNode(long at) {
        String node = node();
        if (peaceful(node, at)) {
            deed(at, Act.LOSE_NODE, node, millis(100, 18_000));
        }
    }

    private void machineDies(long at) {
        String node = node();
        if (peaceful(node, at)) {
            long again =
                    switch (random.nextInt(4)) {
                        case 0 -> 0;
                        case 1 -> millis(2_000, 150_000);
                        default -> grace.toMillis() + millis(-1_000, 8_000);
                    };
            deed(at, Act.MACHINE_DIES, node, again);
            if (again > 0) {
                long back = at + TimeUnit.MILLISECONDS.toNanos(again);
                int number = Integer.parseInt(node.substring(1));
                deed(back + random.nextLong(SECOND), Act.POD, "again-" + decisions.size(), number);
            }
        }
    }

    private void force(long at) {
        String node = node();
        if (peaceful(node, at)) {
            deed(at, Act.FORCE, node, millis(1_000, 60_000));
        }
    }

    private boolean peaceful(String node, long at) {
        List<Long> others = nodePeace.computeIfAbsent(node, n -> new ArrayList<>());
        if (others.stream().anyMatch(other -> Math.abs(other - at) < NODE_PEACE)) {
            return false;
        }
        others.add(at);
        return true;
    }

    /** Deleted, and made anew, with another size perhaps, as often as it takes until it is gone. */
    private void poolAgain(long at) {
        String pool = pool();
        deed(at, Act.DELETE_POOL, pool, random.nextInt(3));
        if (random.nextBoolean()) {
            deed(at, Act.WEBHOOK_AWAY, "", millis(10_000, 60_000));
        }
        int how = random.nextInt(3) + random.nextInt(2) * 8;
        for (int i = 1; i <= 4; i++) {
            deed(at + random.nextLong(20 * SECOND) * i, Act.POOL, pool, how);
        }
    }

    private Consumer<Calls> mishapsOf(String process) {
        return calls -> {
            int count = Math.max(1, calls.count() * steps / 40);
            for (int call = 1; call <= count; call++) {
                if (random.nextInt(1000) < faults * calls.weight() / 4) {
                    Kind kind = Calls.KINDS.get(random.nextInt(Calls.KINDS.size()));
                    long span = millis(10, random.nextInt(4) == 0 ? 60_000 : 9_000);
                    decisions.add(
                            new Mishap(
                                    process + " " + calls.what(),
                                    call,
                                    kind,
                                    Duration.ofMillis(span)));
                }
            }
        };
    }

    private void deed(long at, Act act, String target, long number) {
        decisions.add(new Deed(at, act, target, number));
    }

    private long millis(long least, long most) {
        return least + random.nextLong(most - least);
    }

    private String node() {
        return "n" + (1 + random.nextInt(nodes));
    }

    private String pool() {
        return random.nextInt(3) == 0 ? "other" : "default";
    }

    private String somePod() {
        return podName(1 + random.nextInt(Math.max(1, pods)));
    }

    private String process() {
        int lot = random.nextInt(nodes + 2);
        return lot == 0 ? "controller-a" : lot == 1 ? "controller-b" : "n" + (lot - 1) + "-agent";
    }
}
