package io.coil.admin.access;

import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;

import java.util.Objects;

/**
 * A caller whose token the API has confirmed. Carries no authorities: rights are asked for when
 * they are needed, so that one taken away ends within seconds.
 */
public final class CallerAuthentication extends AbstractAuthenticationToken {
    private static final long serialVersionUID = 1L;

    private final transient Caller caller;

    CallerAuthentication(Caller caller) {
        super(AuthorityUtils.NO_AUTHORITIES);
        this.caller = caller;
        setAuthenticated(true);
    }

    @Override
    public Caller getPrincipal() {
        return caller;
    }

    @Override
    public String getCredentials() {
        return "";
    }

    @Override
    public String getName() {
        return caller.name();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CallerAuthentication that && Objects.equals(caller, that.caller);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(caller);
    }
}
