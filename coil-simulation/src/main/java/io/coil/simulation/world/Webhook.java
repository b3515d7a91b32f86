package io.coil.simulation.world;

import io.coil.apiserver.admission.WebhookTransport;
import io.coil.controller.admission.Admissions;
import io.coil.simulation.schedule.Actor;

import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The controllers' webhook, as the server reaches it: by any replica that lives, or not at all. A
 * review and what it is for are one step.
 */
final class Webhook implements WebhookTransport {

    /** A replica: one life of a controller, and what it answers. */
    record Replica(Actor life, Admissions admissions) {}

    private final Supplier<List<Replica>> replicas;
    private final Luck luck;
    private final LongSupplier nanos;
    private final SplittableRandom random;
    private long awayUntil;

    Webhook(
            Supplier<List<Replica>> replicas,
            Luck luck,
            LongSupplier nanos,
            SplittableRandom random) {
        this.replicas = replicas;
        this.luck = luck;
        this.nanos = nanos;
        this.random = random;
    }

    void away(long untilNanos) {
        awayUntil = Math.max(awayUntil, untilNanos);
    }

    void heal() {
        awayUntil = 0;
    }

    @Override
    public String call(Call call) throws IOException {
        List<Replica> there = replicas.get();
        if (there.isEmpty() || nanos.getAsLong() < awayUntil) {
            throw new IOException("connection refused");
        }
        Replica replica = there.get(random.nextInt(there.size()));
        long now = nanos.getAsLong();
        if (replica.life().frozenUntil() > now
                || luck.partitionedUntil(replica.life().name()) > now) {
            throw new IOException("no answer in time");
        }
        Admissions.Answer answer = replica.admissions().answer(call.uri().getPath(), call.body());
        if (answer.status() != 200) {
            throw new IOException("HTTP " + answer.status() + ": " + answer.body());
        }
        return answer.body();
    }
}
