package io.coil.sandbox.cluster;

/** Runs until it is told otherwise. */
final class TestProgram implements Program {
    private volatile boolean running = true;

    @Override
    public boolean ready() {
        return running;
    }

    @Override
    public boolean alive() {
        return running;
    }

    @Override
    public void stop() {
        running = false;
    }
}
