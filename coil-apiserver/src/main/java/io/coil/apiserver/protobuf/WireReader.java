package io.coil.apiserver.protobuf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads the protobuf wire format: fields one after the other, each with its number. */
final class WireReader {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int LENGTH = 2;
    private static final int FIXED32 = 5;

    private final byte[] bytes;
    private int at;

    WireReader(byte[] bytes) {
        this.bytes = bytes;
    }

    /** A field: its number, and its number or bytes, whichever its wire type has. */
    record Field(int number, long value, WireReader content) {
        String text() {
            return new String(content.bytes, StandardCharsets.UTF_8);
        }

        byte[] raw() {
            return content.bytes.clone();
        }

        boolean empty() {
            return value == 0 && content.bytes.length == 0;
        }
    }

    boolean hasNext() {
        return at < bytes.length;
    }

    /**
     * @throws IllegalArgumentException when the bytes are no protobuf
     */
    Field next() {
        long tag = varint();
        int number = (int) (tag >>> 3);
        return switch ((int) (tag & 7)) {
            case VARINT -> new Field(number, varint(), new WireReader(new byte[0]));
            case LENGTH -> new Field(number, 0, new WireReader(take(length(varint()))));
            case FIXED64 -> skipped(number, Long.BYTES);
            case FIXED32 -> skipped(number, Integer.BYTES);
            default -> throw new IllegalArgumentException("unknown wire type");
        };
    }

    private Field skipped(int number, int size) {
        return new Field(number, 0, new WireReader(take(size)));
    }

    private int length(long length) {
        if (length < 0 || length > bytes.length - at) {
            throw new IllegalArgumentException("a field is longer than the message");
        }
        return (int) length;
    }

    private byte[] take(int length) {
        if (length > bytes.length - at) {
            throw new IllegalArgumentException("the message ends too early");
        }
        byte[] taken = Arrays.copyOfRange(bytes, at, at + length);
        at += length;
        return taken;
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = take(1)[0];
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("a number is too long");
    }
}
