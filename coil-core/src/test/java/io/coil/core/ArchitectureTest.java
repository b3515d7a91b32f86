package io.coil.core;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;

/** The core decides; it reads no clock, starts no thread, and does nothing to the world. */
@AnalyzeClasses(packages = "io.coil.core", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule dependsOnNothingButTheJdk =
            classes()
                    .should()
                    .onlyDependOnClassesThat(
                            resideInAnyPackage(
                                    "io.coil.core..",
                                    "java.lang..",
                                    "java.util..",
                                    "java.math..",
                                    "java.time..",
                                    "org.jspecify.annotations.."));

    @ArchTest
    static final ArchRule readsNoClock =
            noClasses()
                    .should()
                    .callMethod(System.class, "nanoTime")
                    .orShould()
                    .callMethod(System.class, "currentTimeMillis")
                    .orShould()
                    .callMethod(Instant.class, "now")
                    .orShould()
                    .callMethod(LocalDateTime.class, "now")
                    .orShould()
                    .callMethod(ZonedDateTime.class, "now")
                    .orShould()
                    .dependOnClassesThat()
                    .areAssignableTo(Clock.class)
                    .orShould()
                    .dependOnClassesThat()
                    .areAssignableTo(InstantSource.class);

    @ArchTest
    static final ArchRule startsNoThreadAndTakesNoLock =
            noClasses()
                    .should()
                    .dependOnClassesThat()
                    .areAssignableTo(Thread.class)
                    .orShould()
                    .dependOnClassesThat()
                    .resideInAnyPackage("java.util.concurrent..", "java.lang.ref..");

    @ArchTest
    static final ArchRule packagesPointOneWay =
            slices().matching("io.coil.core.(*)..").should().beFreeOfCycles();
}
