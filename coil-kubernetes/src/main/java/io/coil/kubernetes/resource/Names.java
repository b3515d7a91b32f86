package io.coil.kubernetes.resource;

/** Names that are a contract: with Coil v2, and with the people who write them. */
public final class Names {
    public static final String COIL_API = "coil.cybozu.com/v2";
    public static final String OPS_API = "ops.coil.io/v1alpha1";

    public static final String POOL = "coil.cybozu.com/pool";
    public static final String NODE = "coil.cybozu.com/node";
    public static final String REQUEST = "coil.cybozu.com/request";
    public static final String RESERVED = "coil.cybozu.com/reserved";

    /** Finalizer of blocks and pools. */
    public static final String FINALIZER = "coil.cybozu.com";

    /** Annotation of a Namespace: the pool of its pods. */
    public static final String NAMESPACE_POOL = "coil.cybozu.com/pool";

    /** Pool of namespaces without that annotation. */
    public static final String DEFAULT_POOL = "default";

    public static final String FORCE = "ops.coil.io/force";
    public static final String COLLECTION = "ops.coil.io/collection";
    public static final String DRAIN = "ops.coil.io/drain";
    public static final String SPARE_BLOCKS = "ops.coil.io/spare-blocks";
    public static final String MAX_BLOCKS_PER_NODE = "ops.coil.io/max-blocks-per-node";
    public static final String REUSE_DELAY = "ops.coil.io/reuse-delay";

    /** Annotations: who set the switch beside it, when and why; see {@link SwitchedBy}. */
    public static final String COLLECTION_BY = "ops.coil.io/collection-by";

    public static final String DRAIN_BY = "ops.coil.io/drain-by";

    /** Who asked for an object, written by whoever asks on somebody's behalf. */
    public static final String ASKED_BY = "ops.coil.io/asked-by";

    /** Which order an object was made for, so that the same order makes it once. */
    public static final String ASKED_FOR = "ops.coil.io/asked-for";

    public static final String LEASE = "coil-ipam-leader";
    public static final String LEASE_NAMESPACE = "kube-system";

    private Names() {}
}
