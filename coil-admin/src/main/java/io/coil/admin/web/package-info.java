/**
 * The pages: plain HTML made on the server, whole without script. Handlers make small records of
 * words and numbers; the templates only lay them out.
 */
package io.coil.admin.web;
