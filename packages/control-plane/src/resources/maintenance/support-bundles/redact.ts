/**
 * Patterns of secrets in a text. The log should never contain any; as a bundle leaves the server,
 * its lines are checked again.
 */
const secrets: readonly RegExp[] = [
  /oxide-(?:token|scim)-[\w-]+/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\$argon2\w+\$[^\s"']+/g,
  /(?<=\bsession=)[\w-]+/g,
  /(?<=:\/\/[^\s:/@"]*:)[^\s@/"]+(?=@)/g,
  /(?<=\b(?:password|secret|authorization)\b["']?\s*[:=]\s*["']?)[^\s"',}]+/gi,
]

/** A text without anything that looks like a secret. */
export const redacted = (text: string): string =>
  secrets.reduce((before, secret) => before.replaceAll(secret, '[left out]'), text)
