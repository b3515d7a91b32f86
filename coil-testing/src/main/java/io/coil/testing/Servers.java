package io.coil.testing;

import io.coil.apiserver.ApiEndpoint;
import io.coil.apiserver.ApiServer;
import io.coil.apiserver.ApiServerBuilder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

/** The two API servers that a test can run against. Each is empty but for our CRDs. */
public enum Servers {
    /** The one of the sandbox: a new one each time. */
    IN_JVM("API server in the JVM") {
        @Override
        public ApiEndpoint open(UnaryOperator<ApiServerBuilder> how) {
            ApiServerBuilder builder =
                    ApiServer.builder().crds(List.of(crds())).port(0).authorization(false);
            try {
                return how.apply(builder).build().start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    },

    /** kube-apiserver, with etcd and the controllers that collect garbage behind it. */
    REAL("kube-apiserver") {
        @Override
        public ApiEndpoint open(UnaryOperator<ApiServerBuilder> how) {
            return RealServer.open(Programs.find().orElseThrow(), crds());
        }
    };

    private static final AtomicBoolean SAID = new AtomicBoolean();

    private final String title;

    Servers(String title) {
        this.title = title;
    }

    /**
     * Opens one; the caller closes it.
     *
     * @param how what is special about the one in the JVM
     */
    public abstract ApiEndpoint open(UnaryOperator<ApiServerBuilder> how);

    /** The real one, where it was built. */
    public static Servers best() {
        return here().getLast();
    }

    /** Those that there are on this machine; says once if that is not all. */
    static List<Servers> here() {
        List<Servers> here = new ArrayList<>(List.of(IN_JVM));
        if (Programs.find().isPresent()) {
            here.add(REAL);
        } else if (SAID.compareAndSet(false, true)) {
            System.out.println(
                    "No kube-apiserver was built here (testing/kubernetes/build does, with Go):"
                            + " tests run on the API server in the JVM alone.");
        }
        return here;
    }

    static Path crds() {
        Path beside = Path.of("../helm/coil/crds");
        return Files.isDirectory(beside) ? beside : Path.of("helm/coil/crds");
    }

    @Override
    public String toString() {
        return title;
    }
}
