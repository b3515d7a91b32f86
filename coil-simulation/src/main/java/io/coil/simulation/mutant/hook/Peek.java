package io.coil.simulation.mutant.hook;

import java.lang.reflect.Field;

/** Private parts of what is rewritten. */
final class Peek {
    private Peek() {}

    /** The code has changed, and a hook does not fit it any more: no finding of a simulation. */
    static final class DoesNotFit extends Error {
        private static final long serialVersionUID = 1L;

        DoesNotFit(String message, Throwable cause) {
            super(message, cause);
        }
    }

    static <T> T field(Object of, String name, Class<T> type) {
        try {
            Field field = of.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return type.cast(field.get(of));
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new DoesNotFit("mutant does not fit: %s.%s".formatted(of.getClass(), name), e);
        }
    }
}
