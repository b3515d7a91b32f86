package io.coil.kubernetes.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SelectionTest {
    @Test
    void aValueOf63CharactersIsLookedFor() {
        String value = "p".repeat(63);

        assertThat(Selection.labelled("a.b/c", value).labels()).isEqualTo("a.b/c=" + value);
    }

    @Test
    void nothingHasALabelWhoseValueIsLongerAndNoServerIsAskedForIt() {
        assertThat(Selection.labelled("a.b/c", "p".repeat(64)).labels()).isEqualTo("a.b/c,!a.b/c");
    }
}
