/** The controller: grants blocks to nodes, guards pools, collects what belongs to no node. */
@NullMarked
package io.coil.controller;

import org.jspecify.annotations.NullMarked;
