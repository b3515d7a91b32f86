package io.coil.apiserver;

import java.io.InputStream;
import java.util.Objects;

/** Servers with the definitions that the tests use. */
final class Servers {
    static final String WIDGETS = "/apis/example.org/v1/namespaces/default/widgets";

    private Servers() {}

    static ApiServerBuilder withWidgets() {
        InputStream yaml =
                Objects.requireNonNull(Servers.class.getResourceAsStream("widgets.yaml"));
        return ApiServer.builder().crds(yaml);
    }

    static String widget(String name, String colour) {
        return """
        {"apiVersion": "example.org/v1", "kind": "Widget",
         "metadata": {"name": "%s", "labels": {"colour": "%s"}}, "spec": {"colour": "%s"}}
        """
                .formatted(name, colour, colour);
    }
}
