package io.coil.cli;

import java.io.PrintStream;

/**
 * Where results, messages and progress go.
 *
 * @param out results, for people and pipes
 * @param err messages
 * @param live whether somebody looks at {@code err} while it is written
 */
record Terminal(PrintStream out, PrintStream err, boolean live) {

    /** A line that the next one replaces; nothing where nobody looks. */
    void progress(String line) {
        if (live) {
            err.print("\r\033[K" + line);
            err.flush();
        }
    }

    void endOfProgress() {
        progress("");
    }
}
