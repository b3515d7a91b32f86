package io.coil.agent.spring;

import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.stereotype.Component;

import java.util.Map;

/** {@code /actuator/info}: which program this is, and which version of it. */
@Component
final class AgentInfo implements InfoContributor {

    @Override
    public void contribute(Info.Builder info) {
        String version = AgentInfo.class.getPackage().getImplementationVersion();
        info.withDetail(
                "coil", Map.of("role", "agent", "version", version == null ? "dev" : version));
    }
}
