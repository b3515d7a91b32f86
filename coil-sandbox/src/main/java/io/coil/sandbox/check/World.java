package io.coil.sandbox.check;

import io.coil.agent.kernel.Kernel;
import io.coil.agent.kernel.PodLink;
import io.coil.core.net.Address;
import io.coil.core.net.Cidr;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Meta;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * All that the invariants are about, read once.
 *
 * @param nodes names of the Nodes that exist
 * @param machines by name, whether or not their Node exists
 * @param givenBack what was said of those who gave blocks back that are not theirs
 */
public record World(
        List<AddressPool> pools,
        List<AddressBlock> blocks,
        List<BlockRequest> requests,
        Set<String> nodes,
        Map<String, Machine> machines,
        List<String> givenBack) {

    /**
     * One machine's kernel.
     *
     * @param links of containers
     * @param exported routes that are announced
     * @param live ids of the containers that run
     */
    public record Machine(List<PodLink> links, Set<Cidr> exported, Set<String> live) {
        boolean uses(Block block) {
            return links.stream().flatMap(l -> l.addresses().stream()).anyMatch(block::contains);
        }
    }

    /** A block and what it covers. */
    record Block(AddressBlock object, List<Cidr> ranges) {
        static Block of(AddressBlock object) {
            List<Cidr> ranges = new ArrayList<>();
            if (object.ipv4() != null) {
                ranges.add(Cidr.parse(object.ipv4()));
            }
            if (object.ipv6() != null) {
                ranges.add(Cidr.parse(object.ipv6()));
            }
            return new Block(object, List.copyOf(ranges));
        }

        String name() {
            return Meta.name(object.metadata());
        }

        boolean contains(Address address) {
            return ranges.stream().anyMatch(r -> r.contains(address));
        }

        boolean overlaps(Block other) {
            return ranges.stream().anyMatch(r -> other.ranges().stream().anyMatch(r::overlaps));
        }
    }

    /** {@code live}: container ids by node, as their kubelets know them. */
    public static World read(
            KubeApi api,
            Map<String, ? extends Kernel> kernels,
            Map<String, List<String>> live,
            GivenBack givenBack) {
        Set<String> nodes = new HashSet<>();
        api.list(Kinds.NODES, Selection.ALL, n -> nodes.add(Meta.name(n.getMetadata())));
        Map<String, Machine> machines = new TreeMap<>();
        kernels.forEach(
                (name, kernel) ->
                        machines.put(
                                name,
                                new Machine(
                                        kernel.links(),
                                        kernel.exported(),
                                        Set.copyOf(live.getOrDefault(name, List.of())))));
        return new World(
                api.list(Kinds.POOLS, Selection.ALL).items(),
                api.list(Kinds.BLOCKS, Selection.ALL).items(),
                api.list(Kinds.REQUESTS, Selection.ALL).items(),
                nodes,
                machines,
                givenBack.violations());
    }

    List<Block> ranges() {
        return blocks.stream().map(Block::of).toList();
    }
}
