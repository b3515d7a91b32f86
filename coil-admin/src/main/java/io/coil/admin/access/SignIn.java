package io.coil.admin.access;

import io.coil.kubernetes.api.ApiFailure;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.stereotype.Component;

import java.util.Optional;

/** Turns a token into a session. The token stays on the server, in that session. */
@Component
public class SignIn {
    private static final Logger LOG = LoggerFactory.getLogger(SignIn.class);

    private final Access access;
    private final SignInLinks links;
    private final SecurityContextRepository sessions;

    SignIn(Access access, SignInLinks links, SecurityContextRepository sessions) {
        this.access = access;
        this.links = links;
        this.sessions = sessions;
    }

    /** What came of it. */
    public sealed interface Result {
        record Done() implements Result {}

        record Unknown() implements Result {}

        record UsedLink() implements Result {}

        record MayNotLook(String name) implements Result {}

        record Silent(ApiFailure failure) implements Result {}
    }

    public Result byLink(String code, HttpServletRequest request, HttpServletResponse response) {
        return links.redeem(code)
                .map(token -> byToken(token, request, response))
                .orElseGet(Result.UsedLink::new);
    }

    public Result byToken(String token, HttpServletRequest request, HttpServletResponse response) {
        try {
            Optional<Caller> caller = token.isEmpty() ? Optional.empty() : access.caller(token);
            if (caller.isEmpty()) {
                return new Result.Unknown();
            }
            if (!access.may(caller.get(), Right.READ)) {
                return new Result.MayNotLook(caller.get().name());
            }
            begin(caller.get(), request, response);
            return new Result.Done();
        } catch (ApiFailure e) {
            return new Result.Silent(e);
        }
    }

    /** Always a new session, so that nobody goes on with one that somebody else began. */
    private void begin(Caller caller, HttpServletRequest request, HttpServletResponse response) {
        HttpSession before = request.getSession(false);
        if (before != null) {
            before.invalidate();
        }
        request.getSession(true);
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        context.setAuthentication(new CallerAuthentication(caller));
        SecurityContextHolder.setContext(context);
        sessions.saveContext(context, request, response);
        LOG.atInfo().addKeyValue("caller", caller.name()).log("signed in");
    }
}
