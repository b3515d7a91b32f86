/** How this server handles JSON trees. */
package io.coil.apiserver.json;
