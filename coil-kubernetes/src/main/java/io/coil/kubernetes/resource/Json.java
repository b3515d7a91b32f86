package io.coil.kubernetes.resource;

import com.google.gson.ExclusionStrategy;
import com.google.gson.FieldAttributes;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.TypeAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Base64;

/**
 * Our resources and the Kubernetes client's models as JSON text.
 *
 * <p>Not the client's own Gson: that one refuses objects with fields that it does not know, so a
 * newer API server would stop us, and builds every object twice. {@code managedFields} are neither
 * read nor written: nobody here needs them, they are half of an object, and the server keeps its
 * own.
 */
public final class Json {
    public static final Gson GSON =
            new GsonBuilder()
                    .disableHtmlEscaping()
                    .setExclusionStrategies(new WithoutManagedFields())
                    .registerTypeAdapter(OffsetDateTime.class, new Time().nullSafe())
                    .registerTypeAdapter(byte[].class, new Bytes().nullSafe())
                    .create();

    private Json() {}

    public static <T> T read(String text, Class<T> type) {
        return GSON.fromJson(text, type);
    }

    public static String write(Object object) {
        return GSON.toJson(object);
    }

    /**
     * RFC 3339 with six digits of a second: Kubernetes' MicroTime wants exactly six, its Time takes
     * any number.
     */
    private static final class Time extends TypeAdapter<OffsetDateTime> {
        private static final DateTimeFormatter MICROS =
                DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'");

        @Override
        public void write(JsonWriter out, OffsetDateTime time) throws IOException {
            out.value(MICROS.format(time.withOffsetSameInstant(ZoneOffset.UTC)));
        }

        @Override
        public OffsetDateTime read(JsonReader in) throws IOException {
            String text = in.nextString();
            try {
                return OffsetDateTime.parse(text);
            } catch (DateTimeParseException e) {
                throw new JsonParseException("not a time: " + text, e);
            }
        }
    }

    private static final class Bytes extends TypeAdapter<byte[]> {
        @Override
        public void write(JsonWriter out, byte[] bytes) throws IOException {
            out.value(Base64.getEncoder().encodeToString(bytes));
        }

        @Override
        public byte @Nullable [] read(JsonReader in) throws IOException {
            if (in.peek() == JsonToken.NULL) {
                in.nextNull();
                return null;
            }
            try {
                return Base64.getDecoder().decode(in.nextString());
            } catch (IllegalArgumentException e) {
                throw new JsonParseException("not in Base64", e);
            }
        }
    }

    private static final class WithoutManagedFields implements ExclusionStrategy {
        @Override
        public boolean shouldSkipField(FieldAttributes field) {
            return field.getName().equals("managedFields");
        }

        @Override
        public boolean shouldSkipClass(Class<?> type) {
            return false;
        }
    }
}
