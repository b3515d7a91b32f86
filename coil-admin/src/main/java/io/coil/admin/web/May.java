package io.coil.admin.web;

import io.coil.admin.access.Right;
import io.coil.kubernetes.api.ApiFailure;

import java.util.function.Predicate;

/**
 * What whoever looks may do, asked when a page wants to know: so that a button is there only for
 * who may press it. While the API cannot be asked, nobody may.
 */
public final class May {
    private final Predicate<Right> has;

    May(Predicate<Right> has) {
        this.has = has;
    }

    public boolean collect() {
        return may(Right.COLLECT);
    }

    public boolean createPools() {
        return may(Right.CREATE_POOLS);
    }

    public boolean changePools() {
        return may(Right.CHANGE_POOLS);
    }

    public boolean deletePools() {
        return may(Right.DELETE_POOLS);
    }

    public boolean changeBlocks() {
        return may(Right.CHANGE_BLOCKS);
    }

    public boolean releaseBlocks() {
        return may(Right.RELEASE_BLOCKS);
    }

    public boolean changeNodes() {
        return may(Right.CHANGE_NODES);
    }

    private boolean may(Right right) {
        try {
            return has.test(right);
        } catch (ApiFailure e) {
            return false;
        }
    }
}
