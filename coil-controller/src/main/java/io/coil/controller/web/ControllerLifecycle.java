package io.coil.controller.web;

import io.coil.controller.Controller;

import org.springframework.context.SmartLifecycle;

/** Starts the controller when the application is up, and stops it first. */
public final class ControllerLifecycle implements SmartLifecycle {
    private final Controller controller;
    private volatile boolean running;

    public ControllerLifecycle(Controller controller) {
        this.controller = controller;
    }

    @Override
    public void start() {
        controller.start();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        try {
            controller.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
