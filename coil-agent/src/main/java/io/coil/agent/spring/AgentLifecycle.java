package io.coil.agent.spring;

import io.coil.agent.Agent;

import org.springframework.context.SmartLifecycle;

/** Starts and stops the agent with the application. */
class AgentLifecycle implements SmartLifecycle {
    private final Agent agent;
    private volatile boolean running;

    AgentLifecycle(Agent agent) {
        this.agent = agent;
    }

    @Override
    public void start() {
        agent.start();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        try {
            agent.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
