/** What secrets look like in a text. No line of the log should have one; a bundle leaves the server, so it is looked at again. */
const secrets: readonly RegExp[] = [
  /oxide-(?:token|scim)-[\w-]+/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\$argon2\w+\$[^\s"']+/g,
  /(?<=\bsession=)[\w-]+/g,
  /(?<=:\/\/[^\s:/@"]*:)[^\s@/"]+(?=@)/g,
  /(?<=\b(?:password|secret|authorization)\b["']?\s*[:=]\s*["']?)[^\s"',}]+/gi,
]

/** A text without what looks like a secret. */
export const redacted = (text: string): string =>
  secrets.reduce((before, secret) => before.replaceAll(secret, '[left out]'), text)
