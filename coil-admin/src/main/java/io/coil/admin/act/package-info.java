/**
 * Changes that people and programs ask for: judged on fresh data, made with the caller's own token,
 * noted in the audit, refused ones too. Pages and REST are thin over the desks of this package.
 */
package io.coil.admin.act;
