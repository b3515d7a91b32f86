package io.coil.controller.certificate;

import io.coil.controller.settings.WebhookSettings;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * Keeps the webhook's certificate: in one Secret for all replicas, trusted by whoever calls, and
 * followed by a new one in time. Runs on every replica, leader or not; each look begins with live
 * reads, and may end anywhere.
 */
public final class CertificateKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(CertificateKeeper.class);

    /** Another replica wrote at the same time: see what it wrote. */
    private static final Duration AFTER_CONFLICT = Duration.ofMillis(50);

    private static final double JITTER = 0.1;

    private final KubeApi api;
    private final Timeline timeline;
    private final String host;
    private final WebhookSettings.Kept settings;
    private final KeptSecret secret;
    private final Consumer<CertificatePair> serve;

    // used by one task; read by others
    private volatile @Nullable CertificatePair served;
    private volatile @Nullable String trouble = "the certificate of the webhook is not read yet";

    // used by one task
    private @Nullable X509Certificate trustedNext;
    private long trustedNextSince;

    /**
     * @param host DNS name in the certificate
     * @param serve has the port serve that pair from now on, without breaking a connection
     */
    public CertificateKeeper(
            KubeApi api,
            Timeline timeline,
            String host,
            WebhookSettings.Kept settings,
            Consumer<CertificatePair> serve) {
        this.host = host;
        this.api = api;
        this.timeline = timeline;
        this.settings = settings;
        this.secret = new KeptSecret(api, settings.namespace(), settings.secret());
        this.serve = serve;
    }

    /** Why this replica cannot answer those who call the webhook, as a sentence; null: it can. */
    public @Nullable String notReady() {
        return served == null ? trouble : null;
    }

    public void run() throws InterruptedException {
        while (true) {
            timeline.sleep(look());
        }
    }

    /** Returns after what time to look again. */
    private Duration look() {
        try {
            if (turn()) {
                return AFTER_CONFLICT; // nothing is served of it yet
            }
            trouble = null;
            return timeline.jitter(settings.look(), JITTER);
        } catch (ApiFailure.Stale e) {
            LOG.atDebug().addKeyValue("why", e.getMessage()).log("another replica was faster");
            return timeline.jitter(AFTER_CONFLICT, JITTER);
        } catch (ApiFailure e) {
            say(e.getMessage());
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("the webhook's certificate cannot be kept");
            trouble = "the certificate of the webhook cannot be kept: " + e.getMessage();
        }
        return timeline.jitter(settings.look(), JITTER);
    }

    /** True if the Secret was written: look at once what comes of it. */
    private boolean turn() {
        Callers callers = Callers.read(api, settings.configurations()); // before the Secret
        KeptSecret.Read read = secret.read();
        SecretContent content = read.content();
        Instant now = timeline.now();
        Rotation rotation =
                Rotation.decide(
                        content,
                        now,
                        settings.renew(),
                        trustedFor(content.next(), callers),
                        settings.settle());
        SecretContent wanted = after(rotation, content, callers, now);
        if (!wanted.equals(content)) {
            secret.write(read, wanted);
            LOG.atInfo()
                    .addKeyValue("step", rotation.getClass().getSimpleName())
                    .addKeyValue("trusted", wanted.trusted().size())
                    .log("the webhook's certificate is rotated");
            return true;
        }
        callers.trust(api, content.trusted());
        serve(content.current());
        return false;
    }

    private SecretContent after(
            Rotation rotation, SecretContent content, Callers callers, Instant now) {
        CertificatePair before = served;
        SecretContent wanted =
                switch (rotation) {
                    // The Secret is new, or was emptied. What this replica serves goes on if it
                    // can, and so does what callers trust, for other replicas may serve that.
                    case Rotation.Begin() ->
                            before != null && before.isGoodAt(now)
                                    ? new SecretContent(before, fresh(now), callers.trusted())
                                    : new SecretContent(fresh(now), null, callers.trusted());
                    case Rotation.Prepare() ->
                            new SecretContent(content.current(), fresh(now), content.trusted());
                    case Rotation.Promote() ->
                            new SecretContent(content.next(), null, content.trusted());
                    case Rotation.Keep() -> content;
                };
        return wanted.tidy(now);
    }

    private CertificatePair fresh(Instant now) {
        return CertificatePair.make(host, now, settings.life());
    }

    /** By our own clock, from our own first look; null while not all callers trust it. */
    private @Nullable Duration trustedFor(@Nullable CertificatePair next, Callers callers) {
        if (next == null || !callers.allTrust(next.certificate())) {
            trustedNext = null;
            return null;
        }
        if (!next.certificate().equals(trustedNext)) {
            trustedNext = next.certificate();
            trustedNextSince = timeline.nanos();
        }
        return Duration.ofNanos(timeline.nanos() - trustedNextSince);
    }

    private void serve(@Nullable CertificatePair current) {
        CertificatePair before = served;
        if (current != null
                && (before == null || !before.certificate().equals(current.certificate()))) {
            serve.accept(current);
            served = current;
            LOG.atInfo()
                    .addKeyValue("until", current.end())
                    .log("the webhook serves another certificate");
        }
    }

    private void say(String why) {
        String sentence =
                "the webhook's certificate in the secret %s/%s: %s"
                        .formatted(settings.namespace(), settings.secret(), why);
        if (!sentence.equals(trouble)) {
            LOG.atWarn().addKeyValue("why", why).log("the webhook's certificate cannot be kept");
        }
        trouble = sentence;
    }
}
