package io.coil.core.holdings;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * Assignments by their container's interface: a table with open addressing, because giving and
 * freeing an address is to allocate nothing but what it answers with, and the maps of the JDK
 * allocate a node each time. Walked in an order that depends on nothing but what is in it.
 */
final class AssignmentTable {
    private static final int SMALLEST = 32;

    /** A power of two long, at least half of it null. */
    private @Nullable Assignment[] slots = new Assignment[SMALLEST];

    private int size;

    @Nullable Assignment get(ContainerKey key) {
        return slots[slotOf(key)];
    }

    /** Puts it in the place of the one of the same key, if there is one. */
    void put(Assignment assignment) {
        int slot = slotOf(assignment.key());
        if (slots[slot] == null) {
            if (++size * 2 > slots.length) {
                grow();
                slot = slotOf(assignment.key());
            }
        }
        slots[slot] = assignment;
    }

    @Nullable Assignment remove(ContainerKey key) {
        int hole = slotOf(key);
        Assignment removed = slots[hole];
        if (removed == null) {
            return null;
        }
        size--;
        // Whoever stands behind the hole, and would be sought from it or before it, moves up.
        int mask = slots.length - 1;
        int next = hole;
        while (true) {
            next = (next + 1) & mask;
            Assignment moved = slots[next];
            if (moved == null) {
                break;
            }
            int home = home(moved.key());
            if (((next - home) & mask) >= ((next - hole) & mask)) {
                slots[hole] = moved;
                hole = next;
            }
        }
        slots[hole] = null;
        return removed;
    }

    List<Assignment> all() {
        List<Assignment> all = new ArrayList<>(size);
        for (Assignment assignment : slots) {
            if (assignment != null) {
                all.add(assignment);
            }
        }
        return List.copyOf(all);
    }

    List<Assignment> ofBlock(String block) {
        List<Assignment> all = new ArrayList<>();
        for (Assignment assignment : slots) {
            if (assignment != null && assignment.block().equals(block)) {
                all.add(assignment);
            }
        }
        return all;
    }

    /** Where that key is, or where it would go. */
    private int slotOf(ContainerKey key) {
        int mask = slots.length - 1;
        int slot = home(key);
        while (true) {
            Assignment there = slots[slot];
            if (there == null || there.key().equals(key)) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    private int home(ContainerKey key) {
        int hash = key.hashCode();
        return (hash ^ hash >>> 16) & (slots.length - 1);
    }

    private void grow() {
        @Nullable Assignment[] before = slots;
        slots = new Assignment[before.length * 2];
        for (Assignment assignment : before) {
            if (assignment != null) {
                slots[slotOf(assignment.key())] = assignment;
            }
        }
    }
}
