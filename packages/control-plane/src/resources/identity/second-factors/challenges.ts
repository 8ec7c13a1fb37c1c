/**
 * Challenges of passkeys. A challenge contains the end of its validity, with a digest for its
 * purpose that only this database can make, so only used ones are stored.
 */
import { SIGN_IN_STEP_MS } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { randomToken } from '../../../kernel/secrets.ts'
import { keyedDigest, sameText } from '../auth/keyed-digest.ts'
import { useOnce } from '../auth/use-once.ts'

const NONCE_BYTES = 16
const pattern = /^([0-9a-f]{32})-([0-9a-z]{1,10})-([0-9a-f]{64})$/

/** @param purpose with the session, the sign-in or the browser to which the challenge belongs */
export async function newChallenge(db: Db, purpose: string, now: Date): Promise<string> {
  const nonce = randomToken(NONCE_BYTES)
  const expires = (now.getTime() + SIGN_IN_STEP_MS).toString(36)
  const proof = await keyedDigest(db, `challenge ${purpose} ${nonce} ${expires}`)
  return `${nonce}-${expires}-${proof}`
}

/** When a challenge ends; undefined if it was not made for this purpose, or has ended. */
export async function challengeEnd(
  db: Db,
  purpose: string,
  challenge: string,
  now: Date,
): Promise<Date | undefined> {
  const [, nonce, expires, proof] = pattern.exec(challenge) ?? []
  if (!nonce || !expires || !proof) return undefined
  const expected = await keyedDigest(db, `challenge ${purpose} ${nonce} ${expires}`)
  const end = new Date(Number.parseInt(expires, 36))
  return sameText(proof, expected) && end > now ? end : undefined
}

/** @returns whether the challenge was not used before */
export const spendChallenge = (db: Db, challenge: string, end: Date): Promise<boolean> =>
  useOnce(db, `challenge ${challenge}`, end)
