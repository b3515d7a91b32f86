package io.coil.apiserver;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import java.time.Instant;

/** The server knows no application, and what holds the objects can be run by a simulation. */
@AnalyzeClasses(
        packages = "io.coil.apiserver",
        importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String[] OBJECTS = {
        "io.coil.apiserver.json..",
        "io.coil.apiserver.resource..",
        "io.coil.apiserver.schema..",
        "io.coil.apiserver.store..",
        "io.coil.apiserver.lifecycle..",
        "io.coil.apiserver.patch..",
    };

    @ArchTest
    static final ArchRule knowsNoApplication =
            noClasses()
                    .should()
                    .dependOnClassesThat(
                            resideInAPackage("io.coil..")
                                    .and(resideOutsideOfPackage("io.coil.apiserver..")));

    @ArchTest
    static final ArchRule timeAndThreadsComeFromOutside =
            noClasses()
                    .that(resideInAnyPackage(OBJECTS))
                    .should()
                    .dependOnClassesThat()
                    .areAssignableTo(Thread.class)
                    .orShould()
                    .callMethod(System.class, "nanoTime")
                    .orShould()
                    .callMethod(System.class, "currentTimeMillis")
                    .orShould()
                    .callMethod(Instant.class, "now");

    @ArchTest
    static final ArchRule objectsDoNotKnowHowTheyAreServed =
            noClasses()
                    .that(resideInAnyPackage(OBJECTS))
                    .should()
                    .dependOnClassesThat(
                            resideInAPackage("io.coil.apiserver..")
                                    .and(not(resideInAnyPackage(OBJECTS))));

    @ArchTest
    static final ArchRule packagesPointOneWay =
            slices().matching("io.coil.apiserver.(*)..").should().beFreeOfCycles();
}
