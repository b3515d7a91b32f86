package io.coil.admin.web;

import io.coil.admin.AdminSettings;
import io.coil.admin.access.Access;
import io.coil.admin.access.CallerAuthentication;
import io.coil.admin.snapshot.Current;
import io.coil.admin.snapshot.SnapshotKeeper;
import io.coil.admin.snapshot.Spoken;
import io.coil.admin.snapshot.Totals;
import io.coil.kubernetes.time.Timeline;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ModelAttribute;

import java.util.Optional;
import java.util.Set;

/** Gives every page its {@link Shell}. */
@ControllerAdvice(basePackageClasses = ShellAdvice.class)
final class ShellAdvice {
    private static final Set<String> WITH_JSON =
            Set.of("nodes", "pools", "blocks", "collections", "audit");
    private static final Set<String> POOLS = Set.of("blocks", "new-pool");

    private final AdminSettings settings;
    private final Access access;
    private final SnapshotKeeper keeper;
    private final Timeline timeline;

    ShellAdvice(AdminSettings settings, Access access, SnapshotKeeper keeper, Timeline timeline) {
        this.settings = settings;
        this.access = access;
        this.keeper = keeper;
        this.timeline = timeline;
    }

    @ModelAttribute("shell")
    Shell shell(HttpServletRequest request) {
        Authentication who = SecurityContextHolder.getContext().getAuthentication();
        String path = path(request);
        String section = path.equals("/") ? "" : path.split("/", -1)[1];
        May may =
                who instanceof CallerAuthentication known
                        ? new May(right -> access.may(known.getPrincipal(), right))
                        : new May(right -> false);
        String version = ShellAdvice.class.getPackage().getImplementationVersion();
        return new Shell(
                version == null ? "" : version,
                settings.cluster(),
                who instanceof CallerAuthentication known ? known.getName() : null,
                may.collect(),
                may,
                POOLS.contains(section) ? "pools" : section,
                path,
                WITH_JSON.contains(section) ? "/api/v1" + path : null,
                age(request));
    }

    private static String path(HttpServletRequest request) {
        Object failed = request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI);
        return failed == null ? request.getRequestURI() : failed.toString();
    }

    private Shell.@Nullable Age age(HttpServletRequest request) {
        Object same = request.getAttribute(Current.class.getName());
        Optional<Current> current =
                same instanceof Current known ? Optional.of(known) : keeper.current();
        // The handler takes the same image, so that page and shell agree.
        current.ifPresent(c -> request.setAttribute(Current.class.getName(), c));
        return current.map(
                        c -> {
                            Totals totals = c.snapshot().totals();
                            return new Shell.Age(
                                    Stamp.of(c.asOf(), timeline.now()),
                                    Spoken.duration(c.age()),
                                    c.age().toSeconds(),
                                    c.stale(),
                                    "%s of %s reporting"
                                            .formatted(
                                                    Spoken.number(totals.reporting()),
                                                    Spoken.count(totals.nodes(), "agent")),
                                    c.controller());
                        })
                .orElse(null);
    }
}
