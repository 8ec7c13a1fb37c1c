/** The end of a name that stands for a secret, and what is between it and its value. */
const NAMED = /(?:password|passphrase|secret|token|authorization|api_?key)["']?\s{0,9}[:=]\s{0,9}/
  .source

/**
 * Patterns of secrets in a text. Neither the log nor an error should ever contain any; as bundles
 * leave the server, and operators see the errors of its tasks, both are checked again.
 */
const secrets: readonly RegExp[] = [
  /oxide-(?:token|scim)-[\w-]+/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\$argon2\w+\$[^\s"']+/g,
  /(?<=\bsession=)[\w-]+/g,
  /(?<=[?&]code=)[^\s"'&]+/g,
  // A password in the address of a server may contain an unescaped "@".
  /(?<=:\/\/[^\s:/@"]*:)[^\s/"]+(?=@)/g,
  new RegExp(`(?<=${NAMED}")[^"]+`, 'gi'),
  new RegExp(`(?<=${NAMED}["']?)(?:(?:Bearer|Basic)\\s+)?[^\\s"',;&}]+`, 'gi'),
]

/** A text without anything that looks like a secret. */
export const redacted = (text: string): string =>
  secrets.reduce((before, secret) => before.replaceAll(secret, '[left out]'), text)
