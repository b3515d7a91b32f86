package io.coil.admin.access;

/** What somebody may do here, in the words of Kubernetes' own rights. */
public enum Right {
    /** To look at anything. */
    READ("get", "coil.cybozu.com", "addressblocks"),
    /** To start a collection; the API checks it once more when it is started. */
    COLLECT("create", "ops.coil.io", "garbagecollections");

    private final String verb;
    private final String group;
    private final String resource;

    Right(String verb, String group, String resource) {
        this.verb = verb;
        this.group = group;
        this.resource = resource;
    }

    public String verb() {
        return verb;
    }

    public String group() {
        return group;
    }

    public String resource() {
        return resource;
    }

    /** As {@code kubectl auth can-i} takes it. */
    @Override
    public String toString() {
        return verb + " " + resource + "." + group;
    }
}
