package io.coil.admin.web;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A part of a long table.
 *
 * @param first number of the first row shown, from 1; 0 if there is none
 * @param links to pages near this one, and the first and last
 */
public record Pager(int page, int pages, int first, int last, int total, List<Link> links) {
    static final int ROWS = 50;

    /** A page; {@code gap} says that some are left out before it. */
    public record Link(int page, String href, boolean current, boolean gap) {}

    static Pager of(int total, int wanted, IntFunction<String> href) {
        int pages = Math.max(1, (total + ROWS - 1) / ROWS);
        int page = Math.min(Math.max(1, wanted), pages);
        List<Link> links = new ArrayList<>();
        int before = 0;
        for (int p = 1; p <= pages; p++) {
            if (p == 1 || p == pages || Math.abs(p - page) <= 2) {
                links.add(new Link(p, href.apply(p), p == page, p - before > 1));
                before = p;
            }
        }
        int from = (page - 1) * ROWS;
        int to = Math.min(total, from + ROWS);
        return new Pager(page, pages, total == 0 ? 0 : from + 1, to, total, links);
    }

    <T> List<T> rows(List<T> all) {
        return first == 0 ? List.of() : all.subList(first - 1, last);
    }

    /** A number that people typed; 1 if it is none. */
    static int number(String text) {
        return text.matches("\\d{1,6}") ? Integer.parseInt(text) : 1;
    }
}
