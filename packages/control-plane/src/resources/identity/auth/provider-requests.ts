/**
 * Requests to identity providers. An id contains the end of its validity, with a digest for its
 * provider that only this database can make. So any number of requests by strangers leaves nothing
 * behind; only answered ones are stored, as used. The browser that makes a request keeps a proof of
 * it in a cookie, so that no other browser can bring the answer.
 */
import { PROVIDER_REQUESTS_OF_BROWSER } from '@steading/api/rules'
import { type CookieAttributes, cookieLines, cookieValues } from '../../../kernel/cookies.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { randomToken } from '../../../kernel/secrets.ts'
import { keyedDigest, sameText } from './keyed-digest.ts'

/** A protocol with requests. */
export interface Protocol {
  /** Begins the texts of its digests. */
  name: string
  cookie: string
  cookiePath: string
  /** Milliseconds between a request and its answer. */
  validMs: number
}

const NONCE_BYTES = 16
/** Characters kept of the digest; half of it is enough. */
const PROOF = 32
/** An XML id must not begin with a digit. */
const idPattern = /^_([0-9a-f]{32})-([0-9a-z]{1,10})-([0-9a-f]{32})$/

interface Provider {
  id: string
}

const proofOf = async (
  db: Db,
  { name }: Protocol,
  { id }: Provider,
  nonce: string,
  expires: string,
): Promise<string> =>
  (await keyedDigest(db, `${name} request ${id} ${nonce} ${expires}`)).slice(0, PROOF)

/** The id of a new request. */
export async function newRequest(
  db: Db,
  protocol: Protocol,
  provider: Provider,
  now: Date,
): Promise<string> {
  const nonce = randomToken(NONCE_BYTES)
  const expires = (now.getTime() + protocol.validMs).toString(36)
  return `_${nonce}-${expires}-${await proofOf(db, protocol, provider, nonce, expires)}`
}

/** Expiry of a request to a provider; undefined if this database has not made it. */
export async function requestEnd(
  db: Db,
  protocol: Protocol,
  provider: Provider,
  id: string,
): Promise<Date | undefined> {
  const [, nonce, expires, proof] = idPattern.exec(id) ?? []
  if (!nonce || !expires || !proof) return undefined
  return sameText(proof, await proofOf(db, protocol, provider, nonce, expires))
    ? new Date(Number.parseInt(expires, 36))
    : undefined
}

const browserProof = async (db: Db, { name }: Protocol, message: string): Promise<string> =>
  (await keyedDigest(db, `${name} browser ${message}`)).slice(0, PROOF)

const cookiePattern = new RegExp(
  `^[0-9a-f]{${PROOF}}(\\.[0-9a-f]{${PROOF}}){0,${PROVIDER_REQUESTS_OF_BROWSER - 1}}$`,
)

function proofsOf({ cookie: name }: Protocol, request: Request): string[] {
  const valid = cookieValues(request, name).filter((value) => cookiePattern.test(value))
  return [...new Set(valid.flatMap((value) => value.split('.')))]
}

/**
 * Whether the browser that brings an answer made the request.
 * @param message the id of the request, with all that the answer repeats
 */
export async function hasMade(
  db: Db,
  protocol: Protocol,
  browser: Request,
  message: string,
): Promise<boolean> {
  const proofs = proofsOf(protocol, browser)
  if (proofs.length === 0) return false
  const proof = await browserProof(db, protocol, message)
  return proofs.some((given) => sameText(given, proof))
}

/** The values of `set-cookie` for a browser that makes a request. */
export async function requestCookies(
  db: Db,
  protocol: Protocol,
  browser: Request,
  message: string,
  attributes: Pick<CookieAttributes, 'sameSite' | 'secure'>,
): Promise<string[]> {
  const proofs = [await browserProof(db, protocol, message), ...proofsOf(protocol, browser)]
  const value = proofs.slice(0, PROVIDER_REQUESTS_OF_BROWSER).join('.')
  return cookieLines(browser, protocol.cookie, value, {
    ...attributes,
    path: protocol.cookiePath,
    maxAge: protocol.validMs / 1000,
  })
}
