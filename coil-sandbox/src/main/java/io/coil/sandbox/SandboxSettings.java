package io.coil.sandbox;

import io.coil.sandbox.cluster.KubeletSettings;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What a sandbox is told.
 *
 * @param workers nodes besides the control plane, 0 to 200
 * @param apiPort of the API server; 0: any free one
 * @param adminPort of the dashboard; 0: any free one
 * @param stateDir where the cluster's state is kept; null: in memory
 * @param demo whether some pods come and go
 * @param kubelet how patient the kubelets are
 * @param properties settings of the programs, by their full names
 */
public record SandboxSettings(
        int workers,
        int apiPort,
        int adminPort,
        @Nullable Path stateDir,
        boolean demo,
        KubeletSettings kubelet,
        Map<String, String> properties) {
    static final int MOST_WORKERS = 200;

    public SandboxSettings {
        properties = Map.copyOf(properties);
    }

    /** In memory, on free ports, without demonstration pods: what a test wants. */
    public static SandboxSettings quiet(int workers) {
        return new SandboxSettings(workers, 0, 0, null, false, KubeletSettings.DEFAULTS, Map.of());
    }

    public SandboxSettings with(String property, String value) {
        Map<String, String> all = new HashMap<>(properties);
        all.put(property, value);
        return new SandboxSettings(workers, apiPort, adminPort, stateDir, demo, kubelet, all);
    }

    public SandboxSettings withStateDir(Path directory) {
        return new SandboxSettings(
                workers, apiPort, adminPort, directory, demo, kubelet, properties);
    }

    public SandboxSettings withKubelet(KubeletSettings patience) {
        return new SandboxSettings(
                workers, apiPort, adminPort, stateDir, demo, patience, properties);
    }
}
