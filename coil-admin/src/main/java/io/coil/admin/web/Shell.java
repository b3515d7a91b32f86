package io.coil.admin.web;

import org.jspecify.annotations.Nullable;

/**
 * What is around every page.
 *
 * @param cluster its name; empty: not said
 * @param user who is signed in; null: nobody
 * @param operator whether they may start collections
 * @param may what else they may
 * @param section which part of the navigation the page belongs to
 * @param path of this page, to load it again
 * @param json the same as JSON; null: there is none
 */
public record Shell(
        String version,
        String cluster,
        @Nullable String user,
        boolean operator,
        May may,
        String section,
        String path,
        @Nullable String json,
        @Nullable Age age) {

    /** How old what is shown is; {@code agents} e.g. "10 of 12 agents reporting". */
    public record Age(
            Stamp asOf,
            String spoken,
            long seconds,
            boolean stale,
            String agents,
            boolean controller) {}
}
