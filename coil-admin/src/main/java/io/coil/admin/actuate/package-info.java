/** Health, metrics and endpoints for operation; the same image as the pages. */
package io.coil.admin.actuate;
