package io.coil.bench.storm;

import java.time.Duration;

/**
 * What a storm is to be.
 *
 * @param connections that the nodes share, one call at a time on each
 * @param most how long one part may take
 */
record StormPlan(int nodes, int pools, int rounds, int connections, Duration most) {}
