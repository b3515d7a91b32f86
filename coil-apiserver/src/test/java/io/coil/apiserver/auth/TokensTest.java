package io.coil.apiserver.auth;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

class TokensTest {
    private final Tokens tokens = new Tokens(new byte[] {1, 2, 3});

    @Test
    void sayWhoTheirHolderIs() {
        Identity account = Identity.of("system:serviceaccount:kube-system:agent", List.of("extra"));
        assertThat(tokens.verify(tokens.issue(account))).contains(account);
        assertThat(account.groups())
                .containsExactly(
                        "extra",
                        "system:serviceaccounts",
                        "system:serviceaccounts:kube-system",
                        "system:authenticated");
    }

    @Test
    void areNotForged() {
        String token = tokens.issue(Identity.of("ann", List.of()));
        Tokens others = new Tokens(new byte[] {9});
        assertThat(others.verify(token)).isEmpty();
        String admin = others.issue(Identity.administrator());
        String mixed = admin.substring(0, admin.indexOf('.')) + token.substring(token.indexOf('.'));
        assertThat(tokens.verify(mixed)).isEmpty();
        assertThat(tokens.verify("")).isEmpty();
        assertThat(tokens.verify("no dot")).isEmpty();
        assertThat(tokens.verify("!.!")).isEmpty();
    }
}
