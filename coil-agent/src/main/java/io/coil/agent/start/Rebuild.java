package io.coil.agent.start;

import io.coil.agent.AgentSettings;
import io.coil.agent.block.Adoption;
import io.coil.agent.block.Routes;
import io.coil.agent.hold.SharedHoldings;
import io.coil.agent.journal.Memory;
import io.coil.agent.kernel.Kernel;
import io.coil.agent.kernel.PodLink;
import io.coil.core.holdings.ContainerKey;
import io.coil.core.holdings.PodRef;
import io.coil.core.net.Address;
import io.coil.core.net.Cidr;
import io.coil.core.net.InvalidAddressException;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.time.Timeline;
import io.kubernetes.client.openapi.models.V1Node;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Makes the record anew from what is true: blocks from the API, read live, and containers from the
 * kernel. Until both were read whole, nothing is served, collected or given back. Safe to repeat
 * from the start after any failure.
 */
public final class Rebuild {
    private static final Logger LOG = LoggerFactory.getLogger(Rebuild.class);

    /** The node cannot be served now, and why. */
    public static final class NotYet extends Exception {
        private static final long serialVersionUID = 1L;

        NotYet(String why) {
            super(why);
        }
    }

    private final AgentSettings settings;
    private final KubeApi api;
    private final Kernel kernel;
    private final Timeline time;
    private final SharedHoldings holdings;
    private final Adoption adoption;
    private final Routes routes;
    private final Memory memory;

    public Rebuild(
            AgentSettings settings,
            KubeApi api,
            Kernel kernel,
            Timeline time,
            SharedHoldings holdings,
            Adoption adoption,
            Routes routes,
            Memory memory) {
        this.settings = settings;
        this.api = api;
        this.kernel = kernel;
        this.time = time;
        this.holdings = holdings;
        this.adoption = adoption;
        this.routes = routes;
        this.memory = memory;
    }

    public void once() throws NotYet, InterruptedException {
        checkMachine();
        List<AddressBlock> blocks =
                api.list(Kinds.BLOCKS, Selection.labelled(Names.NODE, settings.nodeName())).items();
        withdrawAllBut(blocks);
        List<PodLink> links = kernel.links();
        for (AddressBlock block : blocks) {
            adoption.look(Meta.name(block.metadata()));
        }
        Map<ContainerKey, Memory.Known> known = memory.containers();
        long restored = links.stream().filter(link -> restore(link, known.get(link.key()))).count();
        memory.restoreOrder();
        LOG.atInfo()
                .addKeyValue("blocks", blocks.size())
                .addKeyValue("containers", restored)
                .log("rebuilt from API and kernel");
    }

    /**
     * Before anything else: what this machine exported in an earlier life may be another node's by
     * now.
     */
    private void withdrawAllBut(List<AddressBlock> blocks) {
        Set<Cidr> wanted = new HashSet<>();
        for (AddressBlock block : blocks) {
            wanted.addAll(Adoption.rangesOf(block));
        }
        for (Cidr route : kernel.exported()) {
            if (!wanted.contains(route) && routes.withdrawStray(route)) {
                LOG.atInfo()
                        .addKeyValue("route", route)
                        .log("route withdrawn, no block of this node has that range");
            }
        }
    }

    /** Whether the container's address lies in a block of this node. */
    private boolean restore(PodLink link, Memory.@Nullable Known known) {
        PodRef pod = null;
        long since = time.nanos();
        if (known != null && known.addresses().equals(link.addresses())) {
            pod = known.pod();
            since = known.sinceNanos();
        }
        if (!put(link, pod, since)) {
            LOG.atWarn()
                    .addKeyValue("container", link.key())
                    .addKeyValue("addresses", link.addresses())
                    .log("container holds an address that is in no block of this node");
            return false;
        }
        return true;
    }

    private boolean put(PodLink link, @Nullable PodRef pod, long since) {
        return holdings.with(
                h ->
                        h.restoring()
                                .container(link.key(), pod, link.pool(), link.addresses(), since));
    }

    /** An agent that is told the wrong node would give that node's addresses here. */
    private void checkMachine() throws NotYet {
        Optional<V1Node> node = api.get(Kinds.NODES, null, settings.nodeName());
        if (node.isEmpty()) {
            throw new NotYet("there is no Node \"%s\"".formatted(settings.nodeName()));
        }
        Set<Address> internal = internalAddresses(node.get());
        Set<Address> local = kernel.localAddresses();
        if (internal.stream().noneMatch(local::contains)) {
            throw new NotYet(
                    "none of the InternalIPs of Node \"%s\" (%s) is an address of this machine (%s): is COIL_NODE_NAME another node's?"
                            .formatted(settings.nodeName(), internal, local));
        }
    }

    private static Set<Address> internalAddresses(V1Node node) {
        if (node.getStatus() == null || node.getStatus().getAddresses() == null) {
            return Set.of();
        }
        return node.getStatus().getAddresses().stream()
                .filter(a -> "InternalIP".equals(a.getType()))
                .map(a -> Objects.requireNonNull(a.getAddress()))
                .flatMap(text -> parsed(text).stream())
                .collect(Collectors.toSet());
    }

    private static Optional<Address> parsed(String text) {
        try {
            return Optional.of(Address.parse(text));
        } catch (InvalidAddressException e) {
            return Optional.empty();
        }
    }
}
