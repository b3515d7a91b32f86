import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.RemoveUnusedImports;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Checks the format of every Java file below the working directory, or puts it right.
 *
 * <p>Run by the build as {@code java -cp google-java-format.jar build/Format.java
 * check|apply|skip}. Exit code 1 when a file is not formatted, or cannot be parsed.
 */
class Format {
    private static final Set<String> NOT_OURS =
            Set.of("target", ".git", ".sandbox", "node_modules");

    public static void main(String[] args) throws IOException {
        String mode = args.length == 0 ? "check" : args[0];
        if (mode.equals("skip")) {
            return;
        }
        Formatter formatter =
                new Formatter(
                        JavaFormatterOptions.builder()
                                .style(JavaFormatterOptions.Style.AOSP)
                                .build());
        List<String> wrong = new ArrayList<>();
        for (Path file : javaFiles()) {
            String before = Files.readString(file);
            String after;
            try {
                after =
                        formatter.formatSource(
                                ImportOrderer.reorderImports(
                                        RemoveUnusedImports.removeUnusedImports(before),
                                        JavaFormatterOptions.Style.AOSP));
            } catch (FormatterException e) {
                wrong.add(file + ": " + e.getMessage());
                continue;
            }
            if (before.equals(after)) {
                continue;
            }
            if (mode.equals("apply")) {
                Files.writeString(file, after);
                System.out.println("formatted " + file);
            } else {
                wrong.add(file.toString());
            }
        }
        if (!wrong.isEmpty()) {
            System.err.println("Not formatted; './mvnw -N validate -Dformat=apply' puts it right:");
            wrong.forEach(line -> System.err.println("  " + line));
            System.exit(1);
        }
    }

    private static List<Path> javaFiles() throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(
                Path.of(""),
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path dir, BasicFileAttributes attributes) {
                        Path name = dir.getFileName();
                        return name != null && NOT_OURS.contains(name.toString())
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        if (file.toString().endsWith(".java")) {
                            found.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
        return found.stream().sorted().toList();
    }
}
