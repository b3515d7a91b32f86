package io.coil.apiserver.auth;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Decides who may do what. */
public interface Authorizer {
    boolean allows(Attributes attributes);

    /** All rules that hold for a user in a namespace (and in the whole cluster). */
    List<PolicyRule> rulesFor(Identity identity, @Nullable String namespace);

    /** Lets every authenticated caller do everything. */
    static Authorizer allowAll() {
        return new Authorizer() {
            @Override
            public boolean allows(Attributes attributes) {
                return true;
            }

            @Override
            public List<PolicyRule> rulesFor(Identity identity, @Nullable String namespace) {
                return List.of(PolicyRule.EVERYTHING, PolicyRule.EVERY_PATH);
            }
        };
    }
}
