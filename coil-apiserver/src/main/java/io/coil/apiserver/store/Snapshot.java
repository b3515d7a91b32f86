package io.coil.apiserver.store;

import java.util.List;

/** Objects of one type as they were at one version, in the order of their keys. */
public record Snapshot(List<StoredObject> objects, long version) {}
