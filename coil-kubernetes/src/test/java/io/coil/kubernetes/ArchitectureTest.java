package io.coil.kubernetes;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;

import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;

/** What this module may know, and who in it may wait. */
@AnalyzeClasses(
        packages = "io.coil.kubernetes",
        importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    /** Behind the seams: these are not run in a simulation. */
    private static final String[] BEHIND_THE_SEAMS = {
        "io.coil.kubernetes.time..", "io.coil.kubernetes.client.."
    };

    @ArchTest
    static final ArchRule KNOWS_NO_SPRING_AND_NO_APPLICATION =
            noClasses()
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            "org.springframework..",
                            "io.coil.apiserver..",
                            "io.coil.controller..",
                            "io.coil.agent..",
                            "io.coil.admin..",
                            "io.coil.sandbox..");

    @ArchTest
    static final ArchRule ONLY_THE_CLIENT_KNOWS_HTTP =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("io.coil.kubernetes.client..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("okhttp3..", "okio..", "io.kubernetes.client.openapi");

    @ArchTest
    static final ArchRule WAITS_AND_READS_CLOCKS_THROUGH_THE_SEAM_ONLY =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(BEHIND_THE_SEAMS)
                    .should()
                    .dependOnClassesThat()
                    .areAssignableTo(Clock.class)
                    .orShould()
                    .dependOnClassesThat()
                    .areAssignableTo(Thread.class)
                    .orShould()
                    .dependOnClassesThat()
                    .areAssignableTo(Executor.class)
                    .orShould()
                    .dependOnClassesThat()
                    .areAssignableTo(ThreadLocalRandom.class)
                    .orShould()
                    .callMethod(Instant.class, "now")
                    .orShould()
                    .callMethod(System.class, "nanoTime")
                    .orShould()
                    .callMethod(System.class, "currentTimeMillis");

    @ArchTest
    static final ArchRule PACKAGES_FORM_NO_CIRCLE =
            SlicesRuleDefinition.slices()
                    .matching("io.coil.kubernetes.(*)..")
                    .should()
                    .beFreeOfCycles();
}
