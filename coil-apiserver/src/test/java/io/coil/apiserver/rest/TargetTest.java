package io.coil.apiserver.rest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetTest {
    @ParameterizedTest
    @CsvSource({
        "/api/v1/pods, ,v1,,pods,,",
        "/api/v1/namespaces/a/pods, ,v1,a,pods,,",
        "/api/v1/namespaces/a/pods/p, ,v1,a,pods,p,",
        "/api/v1/namespaces/a/pods/p/log, ,v1,a,pods,p,log",
        "/api/v1/namespaces, ,v1,,namespaces,,",
        "/api/v1/namespaces/a, ,v1,,namespaces,a,",
        "/api/v1/namespaces/a/status, ,v1,,namespaces,a,status",
        "/apis/g.io/v2/things, g.io,v2,,things,,",
        "/apis/g.io/v2/things/t, g.io,v2,,things,t,",
        "/apis/g.io/v2/namespaces/a/things/t/scale, g.io,v2,a,things,t,scale"
    })
    void ofAPath(
            String path,
            String group,
            String version,
            String namespace,
            String plural,
            String name,
            String subresource) {
        assertThat(Target.parse(path))
                .contains(
                        new Target(
                                group == null ? "" : group,
                                version,
                                namespace,
                                plural,
                                name,
                                subresource));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/api",
                "/api/v1",
                "/apis/g/v1",
                "/api/v1/pods/",
                "/api//v1/pods",
                "/version",
                "/api/v1/pods/p/log/more"
            })
    void otherPathsAreForNoResource(String path) {
        assertThat(Target.parse(path)).isEmpty();
    }

    @Test
    void theVerbIsThatOfRoles() {
        Target many = Target.parse("/api/v1/pods").orElseThrow();
        Target one = Target.parse("/api/v1/nodes/n").orElseThrow();
        assertThat(many.verb("GET", false)).contains("list");
        assertThat(many.verb("GET", true)).contains("watch");
        assertThat(one.verb("GET", false)).contains("get");
        assertThat(many.verb("DELETE", false)).contains("deletecollection");
        assertThat(one.verb("DELETE", false)).contains("delete");
        assertThat(one.verb("PATCH", false)).contains("patch");
        assertThat(many.verb("PUT", false)).isEmpty();
        assertThat(one.verb("TRACE", false)).isEmpty();
    }
}
