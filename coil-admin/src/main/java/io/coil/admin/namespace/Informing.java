package io.coil.admin.namespace;

import io.kubernetes.client.informer.SharedInformerFactory;

import org.springframework.context.SmartLifecycle;

/** The informers' threads, for as long as the program runs. */
final class Informing implements SmartLifecycle {
    private final SharedInformerFactory factory;
    private volatile boolean running;

    Informing(SharedInformerFactory factory) {
        this.factory = factory;
    }

    @Override
    public void start() {
        running = true;
        factory.startAllRegisteredInformers();
    }

    @Override
    public void stop() {
        running = false;
        factory.stopAllRegisteredInformers(true);
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
