package io.coil.agent;

import io.coil.agent.kernel.Kernel;
import io.coil.agent.kernel.KernelFailure;
import io.coil.core.net.Cidr;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last thing that an agent does: if its Node object is gone, as the API itself says, nobody is
 * to be told of this machine's routes any more. In doubt they stay: at an ordinary restart its pods
 * go on.
 */
final class Farewell {
    private static final Logger LOG = LoggerFactory.getLogger(Farewell.class);

    private final AgentSettings settings;
    private final KubeApi api;
    private final Kernel kernel;

    Farewell(AgentSettings settings, KubeApi api, Kernel kernel) {
        this.settings = settings;
        this.api = api;
        this.kernel = kernel;
    }

    void say() {
        if (!settings.clearRoutesOnShutdown()) {
            return;
        }
        try {
            if (api.get(Kinds.NODES, null, settings.nodeName()).isPresent()) {
                return;
            }
            for (Cidr route : kernel.exported()) {
                kernel.withdraw(route);
            }
            LOG.atInfo()
                    .addKeyValue("node", settings.nodeName())
                    .log("exported routes withdrawn, the Node is gone");
        } catch (ApiFailure | KernelFailure e) {
            LOG.atWarn()
                    .addKeyValue("node", settings.nodeName())
                    .addKeyValue("reason", e.getMessage())
                    .log("exported routes stay");
        }
    }
}
