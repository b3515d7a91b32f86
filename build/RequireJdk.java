import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Looks for a JDK of the wanted version in the places where Maven's toolchains look, and if there
 * is none prints one sentence that says what to install. Toolchains would say what to configure.
 *
 * <p>Run by the build as {@code java build/RequireJdk.java 25}, on the JVM that Maven runs on; so
 * it keeps to Java 11. Prints nothing when all is well; always exits with 0, since a start script
 * or the build decides what to do with the sentence.
 */
class RequireJdk {
    public static void main(String[] args) throws IOException {
        String version = args[0];
        List<Path> places = candidates();
        boolean found = false;
        boolean withoutCompiler = false;
        for (Path home : places) {
            if (isVersion(home, version)) {
                found |= hasCompiler(home);
                withoutCompiler |= !hasCompiler(home);
            }
        }
        if (!found) {
            System.out.print(sentence(version, withoutCompiler));
        }
    }

    private static String sentence(String version, boolean withoutCompiler) {
        return (withoutCompiler
                        ? "The Java " + version + " that is installed has no compiler"
                        : "No JDK " + version + " was found")
                + ": install one (for example temurin-"
                + version
                + "-jdk or openjdk-"
                + version
                + "-jdk-headless with apt, or java "
                + version
                + " with sdkman), or set JAVA"
                + version
                + "_HOME to one that is there.";
    }

    private static List<Path> candidates() throws IOException {
        List<Path> homes = new ArrayList<>();
        homes.add(Path.of(System.getProperty("java.home")));
        for (Map.Entry<String, String> variable : System.getenv().entrySet()) {
            String name = variable.getKey();
            if (name.startsWith("JAVA") && name.endsWith("_HOME")) {
                homes.add(Path.of(variable.getValue()));
            }
        }
        Path user = Path.of(System.getProperty("user.home"));
        addConfigured(user.resolve(".m2/toolchains.xml"), homes);
        for (String folder :
                List.of(
                        ".jdks",
                        ".m2/jdks",
                        ".sdkman/candidates/java",
                        ".gradle/jdks",
                        ".jenv/versions",
                        ".jbang/cache/jdks",
                        ".asdf/installs",
                        ".asdf/installs/java",
                        ".jabba/jdk",
                        "scoop/apps",
                        "Library/Java/JavaVirtualMachines")) {
            addChildren(user.resolve(folder), homes);
        }
        for (String folder :
                List.of("/usr/jdk", "/usr/java", "/opt/java", "/usr/lib/jvm", "/usr/lib64/jvm")) {
            addChildren(Path.of(folder), homes);
        }
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        if (system.startsWith("mac")) {
            addChildren(Path.of("/Library/Java/JavaVirtualMachines"), homes);
        } else if (system.startsWith("win")) {
            addChildren(Path.of("C:\\Program Files\\Java"), homes);
        }
        return homes;
    }

    private static void addConfigured(Path toolchains, List<Path> homes) throws IOException {
        if (Files.isReadable(toolchains)) {
            Matcher jdk =
                    Pattern.compile("<jdkHome>\\s*(.*?)\\s*</jdkHome>")
                            .matcher(Files.readString(toolchains));
            while (jdk.find()) {
                homes.add(Path.of(jdk.group(1)));
            }
        }
    }

    private static void addChildren(Path folder, List<Path> homes) throws IOException {
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> children = Files.newDirectoryStream(folder)) {
                for (Path child : children) {
                    homes.add(child);
                    homes.add(child.resolve("Contents/Home"));
                }
            }
        }
    }

    /** Every JDK says in its file "release" which it is: {@code JAVA_VERSION="25.0.1"}. */
    private static boolean isVersion(Path home, String version) throws IOException {
        Path release = home.resolve("release");
        return Files.isReadable(release)
                && Pattern.compile("(?m)^JAVA_VERSION=\"" + version + "[\".+-]")
                        .matcher(Files.readString(release))
                        .find();
    }

    private static boolean hasCompiler(Path home) {
        return Files.isRegularFile(home.resolve("bin/javac"))
                || Files.isRegularFile(home.resolve("bin/javac.exe"));
    }
}
