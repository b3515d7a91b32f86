package io.coil.chart;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A place in a parsed YAML document. */
record Node(Object value) {

    /** What lies at this path; fails if nothing does. */
    Node at(String... path) {
        Object here = value;
        for (String step : path) {
            here = here instanceof Map<?, ?> map ? map.get(step) : null;
            if (here == null) {
                throw new AssertionError("no " + String.join(".", path) + " in " + value);
            }
        }
        return new Node(here);
    }

    boolean has(String key) {
        return value instanceof Map<?, ?> map && map.get(key) != null;
    }

    String text(String... path) {
        return at(path).value.toString();
    }

    Stream<Node> items(String... path) {
        return ((List<?>) at(path).value).stream().map(Node::new);
    }

    List<String> texts(String... path) {
        return items(path).map(item -> item.value.toString()).toList();
    }

    Map<?, ?> map(String... path) {
        return (Map<?, ?>) at(path).value;
    }
}
