package io.coil.simulation;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The simulation stands on top: nothing knows it, and no Spring runs in it. */
@AnalyzeClasses(packages = "io.coil", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule NOBODY_KNOWS_THE_SIMULATION =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("io.coil.simulation..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("io.coil.simulation..");

    @ArchTest
    static final ArchRule WITHOUT_SPRING =
            noClasses()
                    .that()
                    .resideInAPackage("io.coil.simulation..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("org.springframework..");
}
