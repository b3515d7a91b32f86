package io.coil.admin.rest;

import io.coil.admin.act.PoolPreview;
import io.coil.core.pool.Violation;

import java.math.BigInteger;
import java.util.List;

/**
 * What a pool, or what is added to one, would be.
 *
 * @param allowed whether the rules of admission let it pass
 * @param blocks that would come
 * @param addresses in them
 * @param first some of the blocks that would come
 * @param last the last of them; empty if it is among the first
 * @param violations why it would be refused, field by field
 * @param warnings what is allowed, but worth a word
 */
record Preview(
        String name,
        boolean allowed,
        BigInteger blocks,
        BigInteger blockSize,
        BigInteger addresses,
        List<PoolPreview.Block> first,
        List<PoolPreview.Block> last,
        List<Violation> violations,
        List<String> warnings) {

    static Preview of(PoolPreview preview) {
        return new Preview(
                preview.name(),
                preview.allowed(),
                preview.blocks(),
                preview.blockSize(),
                preview.addresses(),
                preview.first(),
                preview.last(),
                preview.violations(),
                preview.warnings());
    }
}
