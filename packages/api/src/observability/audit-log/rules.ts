/** Limits of the audit log (control plane 10.7). */

/** Retention of entries in days. */
export const AUDIT_KEPT_DAYS = 90
export const AUDIT_KEPT_MS = AUDIT_KEPT_DAYS * 24 * 60 * 60 * 1000
/** Characters of an entry's address and user agent; longer ones are truncated. */
export const AUDIT_URI_MAX = 512
export const AUDIT_USER_AGENT_MAX = 256
/** Characters of an error. */
export const AUDIT_MESSAGE_MAX = 512
/** Maximum length of a name or text in the sentence about an action, in characters. */
export const AUDIT_FACT_MAX = 256

export const authMethods = ['session_cookie', 'access_token', 'scim_token'] as const
export type AuthMethod = (typeof authMethods)[number]

export const auditResults = ['success', 'error', 'unknown'] as const
export type AuditResult = (typeof auditResults)[number]

export const exportFormats = ['csv', 'json_lines'] as const
export type ExportFormat = (typeof exportFormats)[number]
