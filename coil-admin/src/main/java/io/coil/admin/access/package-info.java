/**
 * Who asks, and what they may: both are the Kubernetes API's to say. Nothing is allowed that is not
 * allowed here by name.
 */
package io.coil.admin.access;
