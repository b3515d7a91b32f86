package io.coil.controller.settings;

/** A setting has a value that it may not have; the start ends here. */
public final class BadSettingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final String value;
    private final String allowed;

    public BadSettingException(String name, String value, String allowed) {
        super("%s is \"%s\", allowed is %s".formatted(name, value, allowed));
        this.name = name;
        this.value = value;
        this.allowed = allowed;
    }

    public String name() {
        return name;
    }

    public String value() {
        return value;
    }

    public String allowed() {
        return allowed;
    }
}
