package io.coil.cli;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Rows below a header, columns aligned: numbers to the right, all else to the left. */
final class Table {
    private static final String GAP = "   ";

    private final List<Column> columns;
    private final List<List<String>> rows = new ArrayList<>();

    /** A column; {@code number}: to the right. */
    record Column(String title, boolean number) {}

    Table(List<Column> columns) {
        this.columns = columns;
    }

    void row(List<String> cells) {
        rows.add(cells);
    }

    void print(PrintStream out) {
        int[] widths = new int[columns.size()];
        for (int c = 0; c < widths.length; c++) {
            widths[c] = width(columns.get(c).title());
            for (List<String> row : rows) {
                widths[c] = Math.max(widths[c], width(row.get(c)));
            }
        }
        out.println(line(columns.stream().map(Column::title).toList(), widths));
        rows.forEach(row -> out.println(line(row, widths)));
    }

    private String line(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int c = 0; c < widths.length; c++) {
            String cell = cells.get(c);
            String pad = " ".repeat(widths[c] - width(cell));
            line.append(c == 0 ? "" : GAP);
            line.append(columns.get(c).number() ? pad + cell : cell + pad);
        }
        return line.toString().stripTrailing();
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
