/** The certificate of the webhook: made here, kept in a Secret, rotated without a refused call. */
@NullMarked
package io.coil.controller.certificate;

import org.jspecify.annotations.NullMarked;
