package io.coil.sandbox.system;

import io.coil.testing.Servers;

/** A test class that is told which server its sandbox is to be around. */
interface OnServer {
    Servers on();
}
