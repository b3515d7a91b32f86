package io.coil.admin.actuate;

import io.coil.admin.snapshot.SnapshotKeeper;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What is there for those who run this program. */
@Configuration(proxyBeanMethods = false)
class Operation {

    /** The bean's name is what the answer calls it: {@code kubernetes}. */
    @Bean("kubernetes")
    ApiHealth health(SnapshotKeeper keeper) {
        return new ApiHealth(keeper);
    }

    /** Ready once there is something to show; old is better than nothing. */
    @Bean("image")
    HealthIndicator image(SnapshotKeeper keeper) {
        return () -> (keeper.current().isPresent() ? Health.up() : Health.outOfService()).build();
    }

    @Bean
    SnapshotMetrics metrics(SnapshotKeeper keeper, PrometheusRegistry registry) {
        SnapshotMetrics metrics = new SnapshotMetrics(keeper);
        registry.register(metrics);
        return metrics;
    }

    @Bean
    AdminInfo info() {
        return new AdminInfo();
    }

    @Bean
    LeaksEndpoint leaks(SnapshotKeeper keeper) {
        return new LeaksEndpoint(keeper);
    }

    @Bean
    BlocksEndpoint blocks(SnapshotKeeper keeper) {
        return new BlocksEndpoint(keeper);
    }

    @Bean
    CollectionsEndpoint collections(SnapshotKeeper keeper) {
        return new CollectionsEndpoint(keeper);
    }
}
