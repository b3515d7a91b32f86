package io.coil.controller.admission;

import com.google.gson.JsonElement;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/** {@code admission.k8s.io/v1}: what the API server asks, and what it is answered. */
record AdmissionReview(
        String apiVersion, String kind, @Nullable Request request, @Nullable Response response) {

    /** {@code operation} is CREATE, UPDATE, ...; {@code object} is absent for DELETE. */
    record Request(
            String uid,
            @Nullable String name,
            String operation,
            UserInfo userInfo,
            @Nullable JsonElement object,
            @Nullable JsonElement oldObject) {}

    /** Who asks. */
    record UserInfo(
            @Nullable String username,
            @Nullable String uid,
            @Nullable List<String> groups,
            @Nullable Map<String, List<String>> extra) {}

    /** {@code patch} is Base64 of a JSON patch, and {@code patchType} then says so. */
    record Response(
            String uid,
            boolean allowed,
            @Nullable Status status,
            @Nullable List<String> warnings,
            @Nullable String patchType,
            @Nullable String patch) {

        static Response allowed(String uid, List<String> warnings) {
            return new Response(uid, true, null, warnings.isEmpty() ? null : warnings, null, null);
        }

        static Response refused(String uid, String message) {
            return new Response(uid, false, new Status(message, "Invalid", 422), null, null, null);
        }

        /** What is asked for is right, but not for that caller. */
        static Response forbidden(String uid, String message) {
            return new Response(
                    uid, false, new Status(message, "Forbidden", 403), null, null, null);
        }
    }

    /** What a refused caller is told. */
    record Status(String message, String reason, int code) {}

    AdmissionReview answered(Response answer) {
        return new AdmissionReview(apiVersion, kind, null, answer);
    }
}
