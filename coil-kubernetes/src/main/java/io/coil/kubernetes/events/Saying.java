package io.coil.kubernetes.events;

/** What is to be told. */
record Saying(Subject about, String type, String reason, String message) {
    /** Kubernetes refuses longer ones. */
    private static final int MOST_TEXT = 1024;

    Saying {
        if (message.length() > MOST_TEXT) {
            message = message.substring(0, MOST_TEXT - 3) + "...";
        }
    }
}
