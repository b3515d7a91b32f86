package io.coil.admin;

import org.w3c.dom.Document;
import org.xml.sax.InputSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.StringReader;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import javax.xml.parsers.DocumentBuilderFactory;

/** HTTP as a program (with a token) or a browser (with cookies, following nothing by itself). */
final class Client {
    private static final Pattern CSRF =
            Pattern.compile("name=\"_csrf\" value=\"([^\"]+)\"|value=\"([^\"]+)\" name=\"_csrf\"");

    private final URI url;
    private final String token;
    private final HttpClient http =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

    Client(URI url, String token) {
        this.url = url;
        this.token = token;
    }

    /** An answer. */
    record Answer(HttpResponse<String> response) {
        int status() {
            return response.statusCode();
        }

        String body() {
            return response.body();
        }

        String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        JsonNode json() {
            return new JsonMapper().readTree(body());
        }

        /** The page, if it is well-formed. */
        Document page() {
            try {
                var factory = DocumentBuilderFactory.newInstance();
                var builder = factory.newDocumentBuilder();
                builder.setErrorHandler(null);
                return builder.parse(new InputSource(new StringReader(body())));
            } catch (Exception e) {
                throw new AssertionError("not well-formed: " + e.getMessage() + "\n" + body(), e);
            }
        }

        String csrf() {
            Matcher found = CSRF.matcher(body());
            if (!found.find()) {
                throw new AssertionError("no CSRF token in\n" + body());
            }
            return found.group(1) == null ? found.group(2) : found.group(1);
        }
    }

    Answer get(String path) {
        return send(request(path).GET());
    }

    Answer get(String path, Map<String, String> headers) {
        return send("GET", path, headers);
    }

    Answer head(String path) {
        return send(request(path).HEAD());
    }

    /** A request without a body. */
    Answer send(String method, String path, Map<String, String> headers) {
        HttpRequest.Builder request =
                request(path).method(method, HttpRequest.BodyPublishers.noBody());
        headers.forEach(request::setHeader);
        return send(request);
    }

    Answer send(String method, String path, Map<String, String> headers, String body) {
        HttpRequest.Builder request =
                request(path).method(method, HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::setHeader);
        return send(request);
    }

    Answer post(String path, String contentType, String body, Map<String, String> headers) {
        HttpRequest.Builder request =
                request(path)
                        .header("Content-Type", contentType)
                        .POST(HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::header);
        return send(request);
    }

    Answer send(String method, String path, String contentType, String body) {
        return send(
                request(path)
                        .header("Content-Type", contentType)
                        .method(method, HttpRequest.BodyPublishers.ofString(body)));
    }

    Answer postJson(String path, String body) {
        return post(path, "application/json", body, Map.of());
    }

    Answer postForm(String path, Map<String, String> fields) {
        String body =
                fields.entrySet().stream()
                        .map(e -> e.getKey() + "=" + encoded(e.getValue()))
                        .collect(Collectors.joining("&"));
        return post(path, "application/x-www-form-urlencoded", body, Map.of());
    }

    void signIn(String withToken) {
        String csrf = get("/sign-in").csrf();
        Answer answer = postForm("/sign-in", Map.of("token", withToken, "_csrf", csrf));
        if (answer.status() != 302) {
            throw new AssertionError("not signed in: " + answer.status() + "\n" + answer.body());
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(url.resolve(path));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        } else {
            request.header("Accept", "text/html,*/*;q=0.5");
        }
        return request;
    }

    private Answer send(HttpRequest.Builder request) {
        try {
            return new Answer(http.send(request.build(), HttpResponse.BodyHandlers.ofString()));
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
