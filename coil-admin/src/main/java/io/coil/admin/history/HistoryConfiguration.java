package io.coil.admin.history;

import io.coil.admin.AdminSettings;
import io.coil.admin.snapshot.SnapshotKeeper;
import io.coil.core.settings.BadSettingException;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/**
 * The parts of what is kept. Spring Boot's own configuration of databases is not used: it would
 * also reach the other programs of a sandbox.
 */
@Configuration(proxyBeanMethods = false)
class HistoryConfiguration {

    @Bean(initMethod = "start", destroyMethod = "stop")
    Keeping keeping(AdminSettings settings, SnapshotKeeper keeper, Timeline timeline) {
        return new Keeping(database(settings.history()), settings.history(), keeper, timeline);
    }

    /** The URL may hold a password: what is wrong with it is said without it. */
    private static @Nullable Database database(HistorySettings settings) {
        String url = settings.url();
        if (url == null) {
            return null;
        }
        try {
            return new Database(url, settings);
        } catch (RuntimeException e) {
            throw new BadSettingException(
                    "coil.admin.history",
                    url.substring(0, url.indexOf(':', "jdbc:".length()) + 1) + "…",
                    "a URL that the database's driver can read");
        }
    }

    @Bean
    RecentAudit recentAudit() {
        return new RecentAudit();
    }

    @Bean
    AuditLog audit(RecentAudit recent, Keeping keeping) {
        return new Audit(recent, keeping.pending(), keeping::wake);
    }

    @Bean
    History history(
            Keeping keeping, RecentAudit recent, Timeline timeline, AdminSettings settings) {
        return new History(
                keeping.tables(), keeping::state, recent, timeline, settings.history().retention());
    }

    @Bean("historyHealthIndicator")
    HealthIndicator health(Keeping keeping) {
        return new HistoryHealth(keeping::state, keeping.pending());
    }

    @Bean
    FilterRegistrationBean<RequestNames> requestNames(Timeline timeline) {
        FilterRegistrationBean<RequestNames> registration =
                new FilterRegistrationBean<>(new RequestNames(timeline));
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return registration;
    }
}
