/**
 * The REST API, version 1: what the pages show, for programs; and starting a collection. Errors are
 * problem details (RFC 9457). Fields are only ever added within a version.
 */
package io.coil.admin.rest;
