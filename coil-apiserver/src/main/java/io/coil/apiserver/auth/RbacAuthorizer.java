package io.coil.apiserver.auth;

import io.coil.apiserver.lifecycle.Operations;
import io.coil.apiserver.resource.ResourceType;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Function;

/** Role based access control over the stored roles and bindings. */
public final class RbacAuthorizer implements Authorizer {
    public static final String GROUP = "rbac.authorization.k8s.io";

    // guarded by this, all of them
    private final Mirror clusterRoles;
    private final Mirror roles;
    private final Mirror clusterBindings;
    private final Mirror roleBindings;
    private @Nullable RbacPolicy policy;

    /**
     * @param types from a plural of the RBAC group to its type
     */
    public RbacAuthorizer(Operations operations, Function<String, ResourceType> types) {
        clusterRoles = new Mirror(operations, types.apply("clusterroles"));
        roles = new Mirror(operations, types.apply("roles"));
        clusterBindings = new Mirror(operations, types.apply("clusterrolebindings"));
        roleBindings = new Mirror(operations, types.apply("rolebindings"));
    }

    @Override
    public boolean allows(Attributes attributes) {
        return attributes.identity().groups().contains(Identity.MASTERS)
                || current().allows(attributes);
    }

    @Override
    public List<PolicyRule> rulesFor(Identity identity, @Nullable String namespace) {
        return identity.groups().contains(Identity.MASTERS)
                ? List.of(PolicyRule.EVERYTHING, PolicyRule.EVERY_PATH)
                : current().rulesFor(identity, namespace);
    }

    private synchronized RbacPolicy current() {
        // Each of them must be refreshed, whether or not the one before has changed.
        boolean changed = clusterRoles.refresh();
        changed |= roles.refresh();
        changed |= clusterBindings.refresh();
        changed |= roleBindings.refresh();
        if (policy == null || changed) {
            policy =
                    new RbacPolicy(
                            clusterRoles.objects(),
                            roles.objects(),
                            clusterBindings.objects(),
                            roleBindings.objects());
        }
        return policy;
    }
}
