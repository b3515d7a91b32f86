package io.coil.bench.orphans;

import java.time.Duration;

/**
 * How many orphans there are to be.
 *
 * @param perNode blocks of one missing node
 * @param rounds besides one to warm up
 * @param most how long their deletion may take
 */
record OrphansPlan(int blocks, int perNode, int rounds, Duration most) {}
