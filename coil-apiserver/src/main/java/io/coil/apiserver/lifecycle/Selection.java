package io.coil.apiserver.lifecycle;

import io.coil.apiserver.resource.ResourceType;
import io.coil.apiserver.resource.SelectableFields;
import io.coil.apiserver.store.FieldSelector;
import io.coil.apiserver.store.Interest;
import io.coil.apiserver.store.LabelSelector;
import io.coil.apiserver.store.StoredObject;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.function.Predicate;

/**
 * Which objects a list or watch is about.
 *
 * @param name set when the selector pins one name
 * @param interest something that everything selected has in common
 */
record Selection(
        @Nullable String namespace,
        @Nullable String name,
        @Nullable Predicate<JsonNode> labels,
        @Nullable Predicate<JsonNode> fields,
        Interest interest) {

    static Selection of(
            ResourceType type,
            @Nullable String namespace,
            @Nullable String labelSelector,
            @Nullable String fieldSelector) {
        try {
            @Nullable LabelSelector labels =
                    labelSelector == null || labelSelector.isBlank()
                            ? null
                            : LabelSelector.parse(labelSelector);
            if (fieldSelector == null || fieldSelector.isBlank()) {
                String home = emptyToNull(namespace);
                return new Selection(home, null, labels, null, interest(labels, null, home));
            }
            FieldSelector fields = FieldSelector.parse(fieldSelector);
            for (FieldSelector.Term term : fields.terms()) {
                if (!SelectableFields.of(type).contains(term.field())) {
                    throw ApiErrors.badRequest("field label not supported: " + term.field());
                }
            }
            String pinned = fields.pinned("metadata.namespace");
            String home = namespace == null || namespace.isEmpty() ? pinned : namespace;
            return new Selection(
                    home,
                    fields.pinned("metadata.name"),
                    labels,
                    fields.predicate(),
                    interest(labels, fields, home));
        } catch (IllegalArgumentException e) {
            throw ApiErrors.badRequest(String.valueOf(e.getMessage()));
        }
    }

    /** The narrowest that there is. */
    private static Interest interest(
            @Nullable LabelSelector labels,
            @Nullable FieldSelector fields,
            @Nullable String namespace) {
        Interest field = fields == null ? null : fields.interest();
        if (field != null) {
            return field;
        }
        Interest label = labels == null ? null : labels.interest();
        if (label != null) {
            return label;
        }
        return namespace == null ? Interest.EVERYTHING : Interest.namespace(namespace);
    }

    boolean includes(@Nullable StoredObject object) {
        return object != null
                && (namespace == null || object.namespace().equals(namespace))
                && (name == null || object.name().equals(name))
                && (labels == null || labels.test(object.labels()))
                && (fields == null || fields.test(object.tree()));
    }

    private static @Nullable String emptyToNull(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }
}
