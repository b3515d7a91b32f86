/** Which types are served: the built-in ones, and those that definitions declare. */
package io.coil.apiserver.resource;
