package io.coil.agent;

import io.coil.core.net.Address;
import io.coil.core.net.Cidr;
import io.coil.core.pool.PoolSpec;
import io.coil.core.pool.Subnet;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;

import org.jspecify.annotations.Nullable;

import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Somebody else who grants blocks, as plainly as can be: looks at the open requests and answers
 * each with the first free index.
 */
final class HandGranter {
    private final KubeApi api;
    private volatile Set<String> unanswered = Set.of();

    HandGranter(KubeApi api) {
        this.api = api;
    }

    /** Requests for these pools get no answer. */
    void leaveUnanswered(String... pools) {
        unanswered = Set.of(pools);
    }

    /** Answers what is open now. */
    void once() {
        for (BlockRequest request : api.list(Kinds.REQUESTS, Selection.ALL).items()) {
            if (request.open() && !unanswered.contains(request.spec().poolName())) {
                try {
                    answer(request);
                } catch (ApiFailure.Stale e) {
                    // it changed or went: the next look sees it
                }
            }
        }
    }

    void untilStopped() throws InterruptedException {
        while (true) {
            try {
                once();
            } catch (ApiFailure.Transient e) {
                // the API is away for a moment
            }
            Thread.sleep(5);
        }
    }

    private void answer(BlockRequest request) {
        Optional<AddressPool> pool = api.get(Kinds.POOLS, null, request.spec().poolName());
        Optional<AddressBlock> made =
                pool.flatMap(
                        p -> grant(p, request.spec().nodeName(), Meta.uid(request.metadata())));
        api.replaceStatus(
                Kinds.REQUESTS,
                new BlockRequest(
                        request.apiVersion(),
                        request.kind(),
                        request.metadata(),
                        request.spec(),
                        new BlockRequest.Status(
                                made.map(b -> Meta.name(b.metadata())).orElse(null),
                                List.of(
                                        condition(
                                                made.isPresent()
                                                        ? BlockRequest.COMPLETE
                                                        : BlockRequest.FAILED)))));
    }

    private static BlockRequest.Condition condition(String type) {
        OffsetDateTime now = OffsetDateTime.now(java.time.ZoneOffset.UTC);
        return new BlockRequest.Condition(type, "True", "ByHand", "out of blocks", now, now);
    }

    /** Makes the first free block of a pool for a node; empty if there is none. */
    Optional<AddressBlock> grant(AddressPool pool, String node, @Nullable String request) {
        PoolSpec spec = spec(pool);
        for (int index = 0; index < spec.usableBlocks(); index++) {
            try {
                return Optional.of(
                        api.create(Kinds.BLOCKS, block(pool, spec, index, node, request)));
            } catch (ApiFailure.Stale e) {
                if (!e.alreadyExists()) {
                    throw e;
                }
            }
        }
        return Optional.empty();
    }

    private static PoolSpec spec(AddressPool pool) {
        List<Subnet> subnets =
                Objects.requireNonNull(pool.spec()).entries().stream()
                        .map(
                                s ->
                                        new Subnet(
                                                s.ipv4() == null ? null : Cidr.parse(s.ipv4()),
                                                s.ipv6() == null ? null : Cidr.parse(s.ipv6())))
                        .toList();
        return new PoolSpec(
                Meta.name(pool.metadata()), Objects.requireNonNull(pool.spec()).bits(), subnets);
    }

    private static AddressBlock block(
            AddressPool pool, PoolSpec spec, int index, String node, @Nullable String request) {
        var range = spec.blockAt(index);
        Map<String, String> labels = new HashMap<>();
        labels.put(Names.POOL, spec.name());
        labels.put(Names.NODE, node);
        if (request != null) {
            labels.put(Names.REQUEST, request);
        }
        V1ObjectMeta meta =
                new V1ObjectMeta()
                        .name(spec.name() + "-" + index)
                        .labels(labels)
                        .finalizers(List.of(Names.FINALIZER))
                        .addOwnerReferencesItem(
                                new V1OwnerReference()
                                        .apiVersion(Names.COIL_API)
                                        .kind("AddressPool")
                                        .name(spec.name())
                                        .uid(Meta.uid(pool.metadata()))
                                        .controller(true)
                                        .blockOwnerDeletion(true));
        return new AddressBlock(
                Names.COIL_API,
                "AddressBlock",
                meta,
                index,
                range.ipv4() == null ? null : range.ipv4().toString(),
                range.ipv6() == null ? null : range.ipv6().toString());
    }

    static Address address(String text) {
        return Address.parse(text);
    }
}
