package io.coil.admin.rest;

import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * Answers what the server refuses before it is ours, such as an address that cannot be decoded: a
 * problem detail for programs, the server's own page for all others.
 */
public final class UnreadableAddress extends ErrorReportValve {

    /** Made by the server, by its name. */
    public UnreadableAddress() {
        setShowServerInfo(false);
        setShowReport(false);
    }

    @Override
    protected void report(Request request, Response response, @Nullable Throwable throwable) {
        String path = request.getCoyoteRequest().requestURI().toString();
        if (response.getStatus() != 400 || path == null || !path.startsWith("/api/")) {
            super.report(request, response, throwable);
            return;
        }
        if (response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        byte[] body =
                "{\"type\":\"about:blank\",\"title\":\"That address cannot be read\",\"status\":400,\"detail\":\"It has characters that no name here has. Nothing has been done.\",\"instance\":\"/api\"}"
                        .getBytes(StandardCharsets.UTF_8);
        response.setContentType("application/problem+json");
        response.setContentLength(body.length);
        try {
            response.getOutputStream().write(body);
            response.finishResponse();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
