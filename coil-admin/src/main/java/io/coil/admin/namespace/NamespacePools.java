package io.coil.admin.namespace;

import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Pool by namespace, of those that name one. */
public final class NamespacePools {
    private final @Nullable SharedIndexInformer<V1Namespace> informer;

    /**
     * @param informer null: namespaces are not watched, and none is known
     */
    public NamespacePools(@Nullable SharedIndexInformer<V1Namespace> informer) {
        this.informer = informer;
        if (informer != null) {
            informer.setTransform(NamespacePools::smaller);
        }
    }

    /** As far as has been seen. */
    public Map<String, String> known() {
        Map<String, String> pools = new HashMap<>();
        List<V1Namespace> all = informer == null ? List.of() : informer.getIndexer().list();
        for (V1Namespace namespace : all) {
            String pool = Meta.annotation(namespace.getMetadata(), Names.NAMESPACE_POOL);
            if (pool != null && !pool.isEmpty()) {
                pools.put(Meta.name(namespace.getMetadata()), pool);
            }
        }
        return pools;
    }

    /** {@code look} is called at each change; before the informer is started. */
    public void onChange(Runnable look) {
        if (informer == null) {
            return;
        }
        informer.addEventHandler(
                new ResourceEventHandler<>() {
                    @Override
                    public void onAdd(V1Namespace namespace) {
                        look.run();
                    }

                    @Override
                    public void onUpdate(V1Namespace before, V1Namespace now) {
                        look.run();
                    }

                    @Override
                    public void onDelete(V1Namespace namespace, boolean unseen) {
                        look.run();
                    }
                });
    }

    /** Only the name, the version and our annotation are kept. */
    private static V1Namespace smaller(Object seen) {
        V1ObjectMeta all = ((V1Namespace) seen).getMetadata();
        V1ObjectMeta kept =
                new V1ObjectMeta()
                        .name(all.getName())
                        .uid(all.getUid())
                        .resourceVersion(all.getResourceVersion());
        String pool = Meta.annotation(all, Names.NAMESPACE_POOL);
        if (pool != null) {
            kept.putAnnotationsItem(Names.NAMESPACE_POOL, pool);
        }
        return new V1Namespace().metadata(kept);
    }
}
