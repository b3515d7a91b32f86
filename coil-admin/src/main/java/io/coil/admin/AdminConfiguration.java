package io.coil.admin;

import io.coil.admin.access.Access;
import io.coil.admin.access.SignInLinks;
import io.coil.admin.act.CallersApi;
import io.coil.admin.act.Changes;
import io.coil.admin.act.CollectionDesk;
import io.coil.admin.act.PoolDesk;
import io.coil.admin.act.ReleaseDesk;
import io.coil.admin.act.ReturnDesk;
import io.coil.admin.act.SwitchDesk;
import io.coil.admin.history.AuditLog;
import io.coil.admin.namespace.NamespacePools;
import io.coil.admin.problem.ProblemPages;
import io.coil.admin.snapshot.SnapshotKeeper;
import io.coil.kubernetes.api.CountedKubeApi;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.time.Timeline;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import tools.jackson.databind.json.JsonMapper;

import java.util.List;
import java.util.concurrent.TimeUnit;

/** The parts of the program, and what each is given. */
@Configuration(proxyBeanMethods = false)
class AdminConfiguration {

    @Bean
    AdminSettings settings(Environment environment) {
        return AdminSettings.read(environment::getProperty);
    }

    @Bean(initMethod = "start", destroyMethod = "stop")
    SnapshotKeeper keeper(
            KubeApi api,
            Timeline timeline,
            AdminSettings settings,
            NamespacePools namespaces,
            MeterRegistry meters) {
        SnapshotKeeper keeper =
                new SnapshotKeeper(
                        counted(api, timeline, meters),
                        timeline,
                        settings.rules(),
                        namespaces::known);
        namespaces.onChange(keeper::look);
        return keeper;
    }

    @Bean
    Access access(KubeApi api, Timeline timeline, MeterRegistry meters) {
        return new Access(counted(api, timeline, meters), timeline);
    }

    /** What we ask in our own name; what callers ask for is theirs. */
    private static KubeApi counted(KubeApi api, Timeline timeline, MeterRegistry meters) {
        return new CountedKubeApi(
                api,
                timeline,
                (verb, resource, outcome, nanos) ->
                        Timer.builder("coil.api.calls")
                                .description("calls of the Kubernetes API")
                                .tags("verb", verb, "resource", resource, "outcome", outcome)
                                .register(meters)
                                .record(nanos, TimeUnit.NANOSECONDS));
    }

    @Bean
    SignInLinks links(Timeline timeline) {
        return new SignInLinks(timeline);
    }

    @Bean
    Changes changes(SnapshotKeeper keeper, Timeline timeline, CallersApi apiFor, AuditLog audit) {
        return new Changes(keeper, timeline, apiFor, audit);
    }

    @Bean
    CollectionDesk collectionDesk(Changes changes, SnapshotKeeper keeper, Timeline timeline) {
        return new CollectionDesk(changes, keeper, timeline);
    }

    @Bean
    ReturnDesk returnDesk(Changes changes, CollectionDesk collections) {
        return new ReturnDesk(changes, collections);
    }

    @Bean
    ReleaseDesk releaseDesk(Changes changes, KubeApi api, AdminSettings settings) {
        return new ReleaseDesk(changes, api, settings.rules().nodeGrace());
    }

    @Bean
    SwitchDesk switchDesk(Changes changes) {
        return new SwitchDesk(changes);
    }

    @Bean
    PoolDesk poolDesk(Changes changes) {
        return new PoolDesk(changes);
    }

    @Bean
    ProblemPages problems(JsonMapper json, SnapshotKeeper keeper) {
        return new ProblemPages(json, keeper);
    }

    @Bean
    WebMvcConfigurer arguments(SnapshotKeeper keeper) {
        return new WebMvcConfigurer() {
            @Override
            public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
                resolvers.add(new CurrentArguments(keeper));
            }
        };
    }
}
