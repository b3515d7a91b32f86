package io.coil.admin.actuate;

import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

import java.util.Map;

/** {@code /actuator/info}: which program this is, and which version of it. */
final class AdminInfo implements InfoContributor {

    @Override
    public void contribute(Info.Builder info) {
        String version = AdminInfo.class.getPackage().getImplementationVersion();
        info.withDetail(
                "coil", Map.of("role", "admin", "version", version == null ? "dev" : version));
    }
}
