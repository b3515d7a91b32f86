package io.coil.controller;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** The class path of this JVM with a jar for each folder. */
final class Jars {
    private Jars() {}

    static String classPath(Path directory) {
        List<String> jars = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            jars.add(
                    Files.isDirectory(path)
                            ? jar(path, directory.resolve("classes" + jars.size() + ".jar"))
                            : entry);
        }
        return String.join(File.pathSeparator, jars);
    }

    private static String jar(Path folder, Path file) {
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out);
                Stream<Path> files = Files.walk(folder)) {
            for (Path path : files.filter(Files::isRegularFile).toList()) {
                jar.putNextEntry(
                        new JarEntry(
                                folder.relativize(path)
                                        .toString()
                                        .replace(File.separatorChar, '/')));
                Files.copy(path, jar);
                jar.closeEntry();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file.toString();
    }
}
