package io.coil.admin.rest;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.coil.admin.problem.Problem;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpStatus;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The fields of what is sent, found from its record, so that {@code fields}, {@code sort} and the
 * columns of CSV know the same names as the JSON has. A path is names joined by dots; below a map
 * the name is a key of it.
 */
final class Fields {
    private static final Map<ResolvableType, Shape> KNOWN = new ConcurrentHashMap<>();

    /** What stands at a path. */
    sealed interface Shape {
        /** A text, a number, a time, or a list or map of those. */
        record Plain(Class<?> type) implements Shape {}

        /** Named fields; {@code many}: a list of such. */
        record Named(Map<String, Member> members, boolean many) implements Shape {}

        /** A map from names that are not known beforehand. */
        record Keyed(Shape values) implements Shape {}
    }

    /** A field, and how it is read from what contains it. */
    record Member(Function<Object, @Nullable Object> value, Shape shape) {}

    private final Shape root;

    private Fields(Shape root) {
        this.root = root;
    }

    static Fields of(ResolvableType type) {
        return new Fields(KNOWN.computeIfAbsent(type, Fields::shape));
    }

    static Fields of(Class<? extends Record> type) {
        return of(ResolvableType.forClass(type));
    }

    /** Paths of what fits into a cell or can be sorted by, in the order of the record. */
    List<String> flat() {
        List<String> paths = new ArrayList<>();
        flat("", root, paths);
        return paths;
    }

    /** The same, at and below this path. Refuses a path that is not known. */
    List<String> flat(String path) {
        List<String> paths = new ArrayList<>();
        flat(path, at(path, "fields"), paths);
        return paths;
    }

    private static void flat(String path, Shape shape, List<String> paths) {
        switch (shape) {
            case Shape.Plain(Class<?> type) -> paths.add(path);
            case Shape.Keyed(Shape.Plain(Class<?> type)) -> paths.add(path);
            case Shape.Keyed keyed -> {}
            case Shape.Named(Map<String, Member> members, boolean many) -> {
                if (!many) {
                    String before = path.isEmpty() ? "" : path + ".";
                    members.forEach((name, member) -> flat(before + name, member.shape(), paths));
                }
            }
        }
    }

    /** What stands at the path; {@code parameter} is named in the refusal of one not known. */
    Shape at(String path, String parameter) {
        Shape shape = root;
        for (String name : path.split("\\.", -1)) {
            shape =
                    switch (shape) {
                        case Shape.Named named when named.members().containsKey(name) ->
                                member(named, name).shape();
                        case Shape.Keyed keyed when !name.isEmpty() -> keyed.values();
                        case Shape.Named named ->
                                throw unknown(parameter, path, named.members().keySet());
                        case Shape.Keyed keyed -> throw unknown(parameter, path, List.of());
                        case Shape.Plain plain -> throw unknown(parameter, path, List.of());
                    };
        }
        return shape;
    }

    /** Reads what stands at a path whose end is plain; null where something on the way is. */
    Function<Object, @Nullable Object> reader(String path, String parameter) {
        Shape shape = root;
        List<Function<Object, @Nullable Object>> steps = new ArrayList<>();
        if (!(at(path, parameter) instanceof Shape.Plain)) {
            throw refused(
                    parameter, "\"%s\" has fields of its own; name one of them".formatted(path));
        }
        for (String name : path.split("\\.", -1)) {
            if (shape instanceof Shape.Named named) {
                if (named.many()) {
                    throw refused(parameter, "\"%s\" is in a list".formatted(path));
                }
                steps.add(member(named, name).value());
                shape = member(named, name).shape();
            } else if (shape instanceof Shape.Keyed(Shape values)) {
                steps.add(map -> ((Map<?, ?>) map).get(name));
                shape = values;
            }
        }
        return item -> {
            Object value = item;
            for (Function<Object, @Nullable Object> step : steps) {
                if (value == null) {
                    return null;
                }
                value = step.apply(value);
            }
            return value;
        };
    }

    private static Member member(Shape.Named named, String name) {
        Member member = named.members().get(name);
        if (member == null) {
            throw new IllegalArgumentException(name);
        }
        return member;
    }

    private static RuntimeException unknown(
            String parameter, String path, Collection<String> known) {
        return refused(
                parameter,
                known.isEmpty()
                        ? "\"%s\" is not known: there is nothing below".formatted(path)
                        : "\"%s\" is not known; known are %s"
                                .formatted(path, String.join(", ", known)));
    }

    private static RuntimeException refused(String parameter, String why) {
        return Problem.of(
                        HttpStatus.BAD_REQUEST,
                        "Parameter %s cannot be used".formatted(parameter),
                        why + ".")
                .thrown();
    }

    private static Shape shape(ResolvableType type) {
        Class<?> raw = type.resolve(Object.class);
        if (Map.class.isAssignableFrom(raw)) {
            return new Shape.Keyed(shape(type.asMap().getGeneric(1)));
        }
        if (Collection.class.isAssignableFrom(raw)) {
            Shape element = shape(type.asCollection().getGeneric(0));
            return element instanceof Shape.Named(Map<String, Member> members, boolean many)
                    ? new Shape.Named(members, true)
                    : new Shape.Plain(raw);
        }
        if (!raw.isRecord()) {
            return new Shape.Plain(raw);
        }
        Map<String, Member> members = new LinkedHashMap<>();
        for (RecordComponent component : raw.getRecordComponents()) {
            Method accessor = component.getAccessor();
            accessor.setAccessible(true);
            Shape shape = shape(component(type, raw, component));
            Member member = new Member(record -> call(accessor, record), shape);
            if (accessor.isAnnotationPresent(JsonUnwrapped.class)
                    && shape instanceof Shape.Named(Map<String, Member> inner, boolean many)) {
                inner.forEach((name, m) -> members.put(name, within(member, m)));
            } else {
                members.put(component.getName(), member);
            }
        }
        return new Shape.Named(Collections.unmodifiableMap(members), false);
    }

    /** The type of a component, with the record's own type arguments put in. */
    private static ResolvableType component(
            ResolvableType record, Class<?> raw, RecordComponent component) {
        try {
            return ResolvableType.forField(raw.getDeclaredField(component.getName()), record);
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException("a record has a field for each component", e);
        }
    }

    private static Member within(Member outer, Member inner) {
        return new Member(
                record -> {
                    Object value = outer.value().apply(record);
                    return value == null ? null : inner.value().apply(value);
                },
                inner.shape());
    }

    private static @Nullable Object call(Method accessor, Object record) {
        try {
            return accessor.invoke(record);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("an accessor of a record cannot fail", e);
        }
    }
}
