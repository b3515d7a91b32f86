package io.coil.sandbox.cluster;

import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1DaemonSet;
import io.kubernetes.client.openapi.models.V1DaemonSetSpec;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Toleration;

import java.util.Map;

/** Objects as simple as the API takes them. */
final class Specimens {
    private Specimens() {}

    static V1Pod pod(String name) {
        return new V1Pod()
                .apiVersion("v1")
                .kind("Pod")
                .metadata(new V1ObjectMeta().namespace("default").name(name))
                .spec(
                        new V1PodSpec()
                                .addContainersItem(new V1Container().name("main").image("pause")));
    }

    static V1Deployment deployment(String name, int replicas, String image) {
        return new V1Deployment()
                .apiVersion("apps/v1")
                .kind("Deployment")
                .metadata(new V1ObjectMeta().namespace("default").name(name))
                .spec(
                        new V1DeploymentSpec()
                                .replicas(replicas)
                                .selector(new V1LabelSelector().putMatchLabelsItem("app", name))
                                .template(
                                        new V1PodTemplateSpec()
                                                .metadata(
                                                        new V1ObjectMeta()
                                                                .putLabelsItem("app", name))
                                                .spec(
                                                        new V1PodSpec()
                                                                .addContainersItem(
                                                                        new V1Container()
                                                                                .name("main")
                                                                                .image(image)))));
    }

    static V1DaemonSet programs(String name) {
        Map<String, String> labels = Map.of("app.kubernetes.io/component", "test");
        return new V1DaemonSet()
                .apiVersion("apps/v1")
                .kind("DaemonSet")
                .metadata(new V1ObjectMeta().namespace("kube-system").name(name))
                .spec(
                        new V1DaemonSetSpec()
                                .selector(new V1LabelSelector().matchLabels(labels))
                                .template(
                                        new V1PodTemplateSpec()
                                                .metadata(new V1ObjectMeta().labels(labels))
                                                .spec(
                                                        new V1PodSpec()
                                                                .hostNetwork(true)
                                                                .addTolerationsItem(
                                                                        new V1Toleration()
                                                                                .operator("Exists"))
                                                                .addContainersItem(
                                                                        new V1Container()
                                                                                .name("main")
                                                                                .image("x")))));
    }
}
