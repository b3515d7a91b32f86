package io.coil.controller.view;

/** How many blocks of a pool look as if nobody used them and nobody gave them back. */
public final class LeakCandidates {
    private LeakCandidates() {}

    public static long count(ClusterView view, String pool) {
        return view.blocksOfPool(pool).stream().filter(b -> isOne(view, b)).count();
    }

    /** {@code 1 leak candidate}. */
    public static String sentence(ClusterView view, String pool) {
        return sentence(count(view, pool));
    }

    /** The same for what was counted before. */
    public static String sentence(long count) {
        return count + (count == 1 ? " leak candidate" : " leak candidates");
    }

    public static boolean isOne(ClusterView view, SeenBlock block) {
        if (block.node() == null || block.reserved() || block.beingDeleted()) {
            return false;
        }
        if (view.node(block.node()) == null) {
            return true;
        }
        SeenUsage usage = view.usage(block.node());
        SeenUsage.Used used = usage == null ? null : usage.blocks().get(block.name());
        return used != null && used.leak() && block.uid().equals(used.uid());
    }
}
