/**
 * The objects themselves, one number for every write, and the recent changes of each type. It knows
 * nothing of what the objects mean.
 */
package io.coil.apiserver.store;
