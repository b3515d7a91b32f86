package io.coil.kubernetes.client;

import com.google.gson.JsonObject;

import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.resource.Json;
import io.kubernetes.client.common.KubernetesObject;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;

/**
 * Sees to it that every object says what it is. The items of a list do not, and the client's models
 * are often made without.
 */
final class TypeMeta<T extends KubernetesObject> {
    private final Kind<T> kind;
    private final RecordComponent @Nullable [] components;

    TypeMeta(Kind<T> kind) {
        this.kind = kind;
        this.components = kind.type().getRecordComponents();
    }

    /** {@code read}, saying what it is. */
    T said(T read) {
        if (said(read.getApiVersion()) && said(read.getKind())) {
            return read;
        }
        try {
            return components == null ? set(read) : copied(read, components);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(kind.type() + " does not look like an API object", e);
        }
    }

    /** Text of {@code object}, saying what it is. */
    String text(T object) {
        JsonObject tree = Json.GSON.toJsonTree(object).getAsJsonObject();
        tree.addProperty("apiVersion", kind.apiVersion());
        tree.addProperty("kind", kind.kind());
        return tree.toString();
    }

    private static boolean said(@Nullable String text) {
        return text != null && !text.isEmpty();
    }

    private T set(T object) throws ReflectiveOperationException {
        Method apiVersion = kind.type().getMethod("setApiVersion", String.class);
        Method kindName = kind.type().getMethod("setKind", String.class);
        apiVersion.invoke(object, kind.apiVersion());
        kindName.invoke(object, kind.kind());
        return object;
    }

    private T copied(T read, RecordComponent[] parts) throws ReflectiveOperationException {
        Class<?>[] types = new Class<?>[parts.length];
        Object[] values = new Object[parts.length];
        for (int i = 0; i < parts.length; i++) {
            types[i] = parts[i].getType();
            values[i] =
                    switch (parts[i].getName()) {
                        case "apiVersion" -> kind.apiVersion();
                        case "kind" -> kind.kind();
                        default -> parts[i].getAccessor().invoke(read);
                    };
        }
        Constructor<T> constructor = kind.type().getDeclaredConstructor(types);
        return constructor.newInstance(values);
    }
}
