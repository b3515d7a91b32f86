package io.coil.sandbox;

import io.coil.sandbox.cluster.KubeletSettings;
import io.coil.sandbox.fault.FaultCommand;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/** {@code ./coil sandbox}: starts everything and stays until it is told to end. */
@Command(
        name = "sandbox",
        description = "A whole Coil in one process; Ctrl-C ends it.",
        mixinStandardHelpOptions = true,
        version = "Coil for Java; ./coil version says which",
        subcommands = FaultCommand.class,
        showDefaultValues = true)
final class SandboxCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(SandboxCommand.class);

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(names = "--nodes", description = "workers, besides the control plane")
    private int nodes = 3;

    @Option(names = "--api-port", description = "of the API server; 0: any free one")
    private int apiPort = 6443;

    @Option(names = "--admin-port", description = "of the dashboard; 0: any free one")
    private int adminPort = 8080;

    @Option(
            names = "--state-dir",
            description = "what the cluster holds is kept here, and found again")
    private Path stateDir = Path.of(".sandbox");

    @Option(
            names = "--demo",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "some pods that come and go")
    private boolean demo;

    @Option(
            names = "--set",
            description = "a setting of a program, e.g. coil.agent.add-wait=500ms",
            paramLabel = "NAME=VALUE")
    private Map<String, String> properties = new LinkedHashMap<>();

    @Option(names = "--train", hidden = true, description = "start, look around, end")
    private boolean train;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        SandboxSettings settings = settings();
        Console console = new Console(out);
        try {
            if (train) {
                Training.run(settings, console);
                return 0;
            }
            new Foreground(settings, console).run();
            return 0;
        } catch (CannotStart e) {
            return failed(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("the sandbox does not start");
            return failed(
                    "the sandbox does not start: %s (more in %s)"
                            .formatted(e.getMessage(), stateDir.resolve("sandbox.log")));
        }
    }

    private int failed(String sentence) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("coil: " + sentence);
        err.flush();
        return 1;
    }

    private SandboxSettings settings() {
        if (nodes < 0 || nodes > SandboxSettings.MOST_WORKERS) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--nodes is %d: allowed is 0 to %d"
                            .formatted(nodes, SandboxSettings.MOST_WORKERS));
        }
        port("--api-port", apiPort);
        port("--admin-port", adminPort);
        return new SandboxSettings(
                nodes, apiPort, adminPort, stateDir, demo, KubeletSettings.DEFAULTS, properties);
    }

    private void port(String option, int port) {
        if (port < 0 || port > 65_535) {
            throw new ParameterException(
                    spec.commandLine(), "%s is %d: allowed is 0 to 65535".formatted(option, port));
        }
    }
}
