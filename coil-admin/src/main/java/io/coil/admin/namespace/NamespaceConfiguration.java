package io.coil.admin.namespace;

import io.coil.admin.AdminSettings;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1NamespaceList;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.Namespaces;
import io.kubernetes.client.util.generic.GenericKubernetesApi;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;

/**
 * Watching namespaces. The switch is the integration's own; it is off where another program hands
 * in the access to the API and says nothing of a kubeconfig.
 */
@Configuration(proxyBeanMethods = false)
public class NamespaceConfiguration {
    public static final String SWITCH = "kubernetes.informer.enabled";

    private static final Logger LOG = LoggerFactory.getLogger(NamespaceConfiguration.class);

    @Bean
    NamespacePools namespacePools(ObjectProvider<SharedIndexInformer<V1Namespace>> informer) {
        return new NamespacePools(informer.getIfAvailable());
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = SWITCH, havingValue = "true", matchIfMissing = true)
    static class Watched {

        @Bean
        ApiClient informerClient(AdminSettings settings) throws IOException {
            if (settings.kubeconfig() == null) {
                return ClientBuilder.standard().build();
            }
            try (Reader text = Files.newBufferedReader(settings.kubeconfig())) {
                KubeConfig config = KubeConfig.loadKubeConfig(text);
                config.setFile(settings.kubeconfig().toFile());
                return ClientBuilder.kubeconfig(config).build();
            }
        }

        /** The factory is the integration's. */
        @Bean
        SharedIndexInformer<V1Namespace> namespaceInformer(
                SharedInformerFactory factory, ApiClient client) {
            return factory.sharedIndexInformerFor(
                    new GenericKubernetesApi<>(
                            V1Namespace.class,
                            V1NamespaceList.class,
                            "",
                            "v1",
                            "namespaces",
                            client),
                    V1Namespace.class,
                    0,
                    Namespaces.NAMESPACE_ALL,
                    (type, failure) ->
                            LOG.atWarn()
                                    .addKeyValue("failure", failure.getMessage())
                                    .log("namespaces cannot be seen"));
        }

        /** Begins when everything that listens to the informer is there. */
        @Bean
        SmartLifecycle informing(SharedInformerFactory factory) {
            return new Informing(factory);
        }
    }
}
