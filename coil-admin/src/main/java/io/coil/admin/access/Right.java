package io.coil.admin.access;

/** What somebody may do here, in the words of Kubernetes' own rights. */
public enum Right {
    /** To look at anything. */
    READ("get", "coil.cybozu.com", "addressblocks", "look at this"),
    /** To start a collection, or return a block, which is one. */
    COLLECT("create", "ops.coil.io", "garbagecollections", "start a collection"),
    CREATE_POOLS("create", "coil.cybozu.com", "addresspools", "create a pool"),
    /** To drain, grow and switch a pool. */
    CHANGE_POOLS("patch", "coil.cybozu.com", "addresspools", "change a pool"),
    DELETE_POOLS("delete", "coil.cybozu.com", "addresspools", "delete a pool"),
    /** To drain a block. */
    CHANGE_BLOCKS("patch", "coil.cybozu.com", "addressblocks", "change a block"),
    /** To release a block by force; the controllers' admission asks for it too. */
    RELEASE_BLOCKS("release", "coil.cybozu.com", "addressblocks", "release a block by force"),
    /** To switch collection on a node. */
    CHANGE_NODES("patch", "", "nodes", "change a node");

    private final String verb;
    private final String group;
    private final String resource;
    private final String words;

    Right(String verb, String group, String resource, String words) {
        this.verb = verb;
        this.group = group;
        this.resource = resource;
        this.words = words;
    }

    public String verb() {
        return verb;
    }

    /** Empty for Kubernetes' own kinds. */
    public String group() {
        return group;
    }

    public String resource() {
        return resource;
    }

    /** What it is good for, as an infinitive. */
    public String words() {
        return words;
    }

    /** As {@code kubectl auth can-i} takes it. */
    @Override
    public String toString() {
        return verb + " " + resource + (group.isEmpty() ? "" : "." + group);
    }
}
