/** What an object of a type may look like: defaults, unknown fields, validity. */
package io.coil.apiserver.schema;
