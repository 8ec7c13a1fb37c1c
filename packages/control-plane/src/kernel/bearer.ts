/** Bearer tokens: a prefix that tells their purpose, and random digits. */
import { randomToken } from './secrets.ts'

/** Hexadecimal digits after the prefix. */
const DIGITS = 40

export interface BearerTokens {
  /** The token that a request presents, valid or not. Tokens with another prefix are ignored. */
  presented: (request: Request) => string | undefined
  /** Whether a text has the form of a token. */
  isToken: (text: string) => boolean
  /** @param secret hexadecimal, at least as long as a token has digits */
  make: (secret?: string) => string
}

export function bearerTokens(prefix: string): BearerTokens {
  const header = new RegExp(`^bearer +(${prefix}.*)$`, 'i')
  const form = new RegExp(`^${prefix}[0-9a-f]{${DIGITS}}$`)
  return {
    presented: ({ headers }) => header.exec(headers.get('authorization') ?? '')?.[1],
    isToken: (text) => form.test(text),
    make: (secret = randomToken(DIGITS / 2)) => prefix + secret.slice(0, DIGITS),
  }
}
