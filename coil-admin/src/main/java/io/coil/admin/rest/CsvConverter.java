package io.coil.admin.rest;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.HttpMessageNotReadableException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Says that lists can be had as CSV, and writes the text that {@link Shaping} made of one. */
final class CsvConverter implements HttpMessageConverter<Object> {

    @Override
    public boolean canRead(Class<?> type, @Nullable MediaType mediaType) {
        return false;
    }

    @Override
    public boolean canWrite(Class<?> type, @Nullable MediaType mediaType) {
        return type == Page.class
                && mediaType != null
                && mediaType.isCompatibleWith(Shaping.CSV)
                && !mediaType.isWildcardType();
    }

    @Override
    public List<MediaType> getSupportedMediaTypes() {
        return List.of(Shaping.CSV);
    }

    @Override
    public Object read(Class<?> type, HttpInputMessage message) {
        throw new HttpMessageNotReadableException("CSV is not read here", message);
    }

    @Override
    public void write(Object text, @Nullable MediaType contentType, HttpOutputMessage message)
            throws IOException {
        message.getHeaders()
                .setContentType(MediaType.parseMediaType("text/csv;charset=utf-8;header=present"));
        message.getBody().write(text.toString().getBytes(StandardCharsets.UTF_8));
    }
}
