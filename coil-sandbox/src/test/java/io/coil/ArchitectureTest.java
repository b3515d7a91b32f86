package io.coil;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.conditions.ArchConditions.callMethodWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import java.util.Map;
import java.util.Set;

/**
 * The one-way street: core, kubernetes, applications, sandbox. Nothing points back, and no
 * application knows another.
 */
@AnalyzeClasses(packages = "io.coil", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String CORE = "io.coil.core..";
    private static final String KUBERNETES = "io.coil.kubernetes..";
    private static final String API_SERVER = "io.coil.apiserver..";
    private static final String CONTROLLER = "io.coil.controller..";
    private static final String AGENT = "io.coil.agent..";
    private static final String ADMIN = "io.coil.admin..";
    private static final String CLI = "io.coil.cli..";
    private static final String SANDBOX = "io.coil.sandbox..";

    @ArchTest
    static final ArchRule THE_COMMAND_LINE_KNOWS_REST_ALONE =
            noClasses()
                    .that()
                    .resideInAPackage(CLI)
                    .should()
                    .dependOnClassesThat(
                            resideInAnyPackage("io.coil..", "org.springframework..")
                                    .and(DescribedPredicate.not(resideInAPackage(CLI))));

    /** Where programs meet Spring; the rest of controller and agent does not know it. */
    private static final DescribedPredicate<JavaClass> GLUE =
            resideInAnyPackage(
                            "io.coil.agent.spring..",
                            "io.coil.controller.web..",
                            "io.coil.controller.admission..")
                    .or(simpleName("ControllerApplication"));

    @ArchTest
    static final ArchRule CORE_KNOWS_NOBODY =
            noClasses()
                    .that()
                    .resideInAPackage(CORE)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            KUBERNETES,
                            API_SERVER,
                            CONTROLLER,
                            AGENT,
                            ADMIN,
                            SANDBOX,
                            "org.springframework..",
                            "io.kubernetes..",
                            "org.slf4j..");

    @ArchTest
    static final ArchRule KUBERNETES_KNOWS_CORE_ALONE =
            noClasses()
                    .that()
                    .resideInAPackage(KUBERNETES)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            API_SERVER, CONTROLLER, AGENT, ADMIN, SANDBOX, "org.springframework..");

    @ArchTest
    static final ArchRule THE_API_SERVER_KNOWS_NO_APPLICATION =
            noClasses()
                    .that()
                    .resideInAPackage(API_SERVER)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(CORE, KUBERNETES, CONTROLLER, AGENT, ADMIN, SANDBOX);

    @ArchTest
    static final ArchRule THE_CONTROLLER_KNOWS_NO_OTHER_APPLICATION =
            noClasses()
                    .that()
                    .resideInAPackage(CONTROLLER)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(API_SERVER, AGENT, ADMIN, SANDBOX);

    @ArchTest
    static final ArchRule THE_AGENT_KNOWS_NO_OTHER_APPLICATION =
            noClasses()
                    .that()
                    .resideInAPackage(AGENT)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(API_SERVER, CONTROLLER, ADMIN, SANDBOX);

    @ArchTest
    static final ArchRule ADMIN_KNOWS_NO_OTHER_APPLICATION =
            noClasses()
                    .that()
                    .resideInAPackage(ADMIN)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(API_SERVER, CONTROLLER, AGENT, SANDBOX);

    @ArchTest
    static final ArchRule SPRING_IS_GLUE =
            noClasses()
                    .that(resideInAnyPackage(CONTROLLER, AGENT).and(DescribedPredicate.not(GLUE)))
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("org.springframework..")
                    .because("the decisions and the doing run in a simulation too");

    /** What reads a clock, sleeps, waits or starts a thread, by class and method. */
    private static final Map<String, Set<String>> TIME =
            Map.of(
                    "java.lang.Thread",
                    Set.of("sleep", "start", "startVirtualThread", "ofVirtual", "ofPlatform"),
                    "java.lang.System",
                    Set.of("nanoTime", "currentTimeMillis"),
                    "java.time.Instant",
                    Set.of("now"),
                    "java.time.OffsetDateTime",
                    Set.of("now"),
                    "java.lang.Object",
                    Set.of("wait"),
                    "java.util.concurrent.locks.Condition",
                    Set.of("await"),
                    "java.util.concurrent.Future",
                    Set.of("get"),
                    "java.util.concurrent.CompletableFuture",
                    Set.of("get", "join", "supplyAsync", "runAsync"));

    private static final DescribedPredicate<JavaMethodCall> TOUCHES_TIME =
            DescribedPredicate.describe(
                    "a clock, a wait or a thread",
                    call ->
                            TIME.getOrDefault(call.getTargetOwner().getName(), Set.of())
                                    .contains(call.getName()));

    @ArchTest
    static final ArchRule TIME_GOES_THROUGH_ITS_SEAM =
            noClasses()
                    .that(
                            resideInAnyPackage(CORE, CONTROLLER, AGENT)
                                    .and(DescribedPredicate.not(GLUE)))
                    .should(callMethodWhere(TOUCHES_TIME))
                    .because("a simulation owns the time");

    @ArchTest
    static final ArchRule THREADS_COME_FROM_THE_SEAM =
            noClasses()
                    .that()
                    .resideInAnyPackage(CORE, CONTROLLER, AGENT)
                    .should()
                    .dependOnClassesThat()
                    .haveNameMatching(
                            "java\\.util\\.concurrent\\.(Executors|ExecutorService|ScheduledExecutorService|ThreadPoolExecutor|Semaphore|CountDownLatch|BlockingQueue|LinkedBlockingQueue)");
}
