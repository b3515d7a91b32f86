package io.coil.controller.web;

import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.stereotype.Component;

import java.util.Map;

/** {@code /actuator/info}: which program this is, and which version of it. */
@Component
public final class ControllerInfo implements InfoContributor {

    @Override
    public void contribute(Info.Builder info) {
        String version = ControllerInfo.class.getPackage().getImplementationVersion();
        info.withDetail(
                "coil", Map.of("role", "controller", "version", version == null ? "dev" : version));
    }
}
