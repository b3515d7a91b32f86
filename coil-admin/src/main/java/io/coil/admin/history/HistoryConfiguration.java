package io.coil.admin.history;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The parts of what is kept. */
@Configuration(proxyBeanMethods = false)
class HistoryConfiguration {

    @Bean
    RecentAudit audit() {
        return new RecentAudit();
    }
}
