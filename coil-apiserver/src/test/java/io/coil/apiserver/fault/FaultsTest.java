package io.coil.apiserver.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.apiserver.fault.Scope.Call;
import io.coil.apiserver.json.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

class FaultsTest {
    private static final Call CALL =
            new Call("ann", "agent/1 n1", "create", "pods", "binding", "ns", "p-1");

    private final Faults faults = new Faults(new SplittableRandom(1));

    @Test
    void aScopeCoversWhatItNames() {
        Scope any = Scope.any();
        assertThat(
                        List.of(
                                any,
                                any.ofUser("ann"),
                                any.ofUserAgent("n1"),
                                any.onVerbs("create", "delete"),
                                any.onResource("pods"),
                                any.onResource("pods/binding"),
                                any.inNamespace("ns"),
                                any.named("p-*"),
                                any.named("*1")))
                .allMatch(scope -> scope.covers(CALL));
        assertThat(
                        List.of(
                                any.ofUser("an"),
                                any.ofUserAgent("n2"),
                                any.onVerbs("get"),
                                any.onResource("pods/log"),
                                any.inNamespace("other"),
                                any.named("p"),
                                any.named("q*")))
                .noneMatch(scope -> scope.covers(CALL));
    }

    @Test
    void aRuleStrikesAsOftenAsItMay() {
        faults.add(FaultRule.of("a", Scope.any(), Effect.conflict()).times(2));
        assertThat(faults.strike(CALL)).hasSize(1);
        assertThat(faults.strike(CALL)).hasSize(1);
        assertThat(faults.strike(CALL)).isEmpty();
        assertThat(faults.list()).extracting(Faults.Shown::hits).containsExactly(2);
    }

    @Test
    void theSameSeedStrikesTheSameCalls() {
        assertThat(strikes(7)).isEqualTo(strikes(7)).isNotEqualTo(strikes(8));
        assertThat(strikes(7).stream().filter(hit -> hit)).hasSizeBetween(20, 80);
    }

    private static List<Boolean> strikes(long seed) {
        Faults seeded = new Faults(new SplittableRandom(seed));
        seeded.add(FaultRule.of("a", Scope.any(), Effect.internalError()).withProbability(0.5));
        return IntStream.range(0, 100).mapToObj(i -> !seeded.strike(CALL).isEmpty()).toList();
    }

    @Test
    void aRuleOfTheSameIdTakesThePlaceOfTheOld() {
        faults.add(FaultRule.of("a", Scope.any(), Effect.conflict()));
        faults.add(FaultRule.of("a", Scope.any(), Effect.expired()));
        assertThat(faults.strike(CALL)).containsExactly(Effect.expired());
        assertThat(faults.remove("a")).isTrue();
        assertThat(faults.remove("a")).isFalse();
        assertThat(faults.strike(CALL)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"effect\":\"latency\",\"milliseconds\":20}",
                "{\"effect\":\"conflict\"}",
                "{\"effect\":\"expired\"}",
                "{\"effect\":\"throttle\",\"retryAfterSeconds\":5}",
                "{\"effect\":\"error\",\"code\":503}",
                "{\"effect\":\"lost-reply\"}",
                "{\"effect\":\"lost-request\"}",
                "{\"effect\":\"partition\"}",
                "{\"effect\":\"watch-stall\"}",
                "{\"effect\":\"watch-lag\",\"milliseconds\":20}",
                "{\"effect\":\"watch-end\"}",
                "{\"effect\":\"stale-list\",\"versions\":3}",
                "{\"effect\":\"stale-list\",\"milliseconds\":3}",
                "{\"effect\":\"stale-list\",\"version\":3}",
                "{\"effect\":\"conflict\",\"user\":\"u\",\"userAgent\":\"a\",\"verbs\":[\"get\"],"
                        + "\"resource\":\"r\",\"namespace\":\"n\",\"name\":\"x*\",\"count\":2,"
                        + "\"probability\":0.5}"
            })
    void aRuleIsTheSameAfterItsJson(String text) {
        FaultRule rule = FaultJson.read(Json.MAPPER.readTree(text), "id");
        assertThat(FaultJson.read(FaultJson.write(new Faults.Shown(rule, 0)), "other"))
                .isEqualTo(rule);
    }
}
