package io.coil.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the program that {@code testing/kubernetes/build} makes: etcd, kube-apiserver,
 * kube-controller-manager and kubectl in one file. Its place has a hash of what it is built from in
 * its name, so a change there is never tested with an old program.
 */
public final class Programs {
    /** In this order, as {@code build} hashes them. */
    private static final List<String> SOURCES =
            List.of("go.mod", "go.sum", "kubelet_linux.go", "main.go");

    private static final int HASH = 16;

    private Programs() {}

    /** The program, if it was built; {@code environment} is that of this process. */
    static Optional<Path> find(Path folder, Map<String, String> environment) {
        Path program =
                home(environment).resolve("kubernetes-" + hash(folder)).resolve("kubernetes");
        return Optional.of(program).filter(Files::isExecutable);
    }

    /**
     * The same for this process.
     *
     * @throws IllegalStateException when it is not there though {@code CI=true}: a build machine
     *     must not leave these tests out without anybody noticing
     */
    public static Optional<Path> find() {
        Optional<Path> found = find(folder(), System.getenv());
        if (found.isEmpty() && "true".equals(System.getenv("CI"))) {
            throw new IllegalStateException(
                    "CI=true, and there is no real kube-apiserver: run testing/kubernetes/build");
        }
        return found;
    }

    /** The command line that begins a kubectl: ours where it was built, else the machine's. */
    public static List<String> kubectl() {
        return find().map(p -> List.of(p.toString(), "kubectl")).orElse(List.of("kubectl"));
    }

    private static Path folder() {
        Path beside = Path.of("../testing/kubernetes");
        return Files.isDirectory(beside) ? beside : Path.of("testing/kubernetes");
    }

    private static Path home(Map<String, String> environment) {
        String own = environment.getOrDefault("COIL_TESTING_HOME", "");
        if (!own.isEmpty()) {
            return Path.of(own);
        }
        String caches = environment.getOrDefault("XDG_CACHE_HOME", "");
        return (caches.isEmpty()
                        ? Path.of(environment.getOrDefault("HOME", "."), ".cache")
                        : Path.of(caches))
                .resolve("coil-testing");
    }

    private static String hash(Path folder) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String source : SOURCES) {
                digest.update(Files.readAllBytes(folder.resolve(source)));
            }
            return HexFormat.of().formatHex(digest.digest()).substring(0, HASH);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
