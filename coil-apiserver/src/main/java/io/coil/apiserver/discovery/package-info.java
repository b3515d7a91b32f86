/** What is served: groups, versions, resources, OpenAPI. */
@NullMarked
package io.coil.apiserver.discovery;

import org.jspecify.annotations.NullMarked;
