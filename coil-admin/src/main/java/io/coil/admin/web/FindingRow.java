package io.coil.admin.web;

import io.coil.admin.snapshot.Finding;

/** A finding with where to look at it. */
public record FindingRow(
        String rule, String css, String title, String evidence, String href, String action) {

    static FindingRow of(Finding finding) {
        String href =
                switch (finding.kind()) {
                    case "node" -> "/nodes/" + finding.name();
                    case "pool" -> "/pools/" + finding.name();
                    default -> "/blocks/" + finding.name();
                };
        return new FindingRow(
                finding.rule(),
                finding.tone().css(),
                finding.title(),
                finding.evidence(),
                href,
                "Open " + finding.kind());
    }
}
