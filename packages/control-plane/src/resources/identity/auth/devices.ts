/**
 * Devices with earlier sign-ins. A device keeps a cookie with its own id and a proof for each user
 * who has signed in there; a stranger who guesses passwords has no proof, so the failures of
 * strangers do not slow down a known device. A proof ends with the password it was made for.
 *
 * Nothing is stored per device: proofs are digests with a secret of the database.
 */
import {
  DEVICE_COOKIE,
  DEVICE_COOKIE_AGE,
  DEVICE_COOKIE_PATH,
  DEVICE_USERS_MAX,
} from '@steading/api/rules'
import { cookieLines, cookieOf } from '../../../kernel/cookies.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { randomToken } from '../../../kernel/secrets.ts'
import { keyedDigest, sameText } from './keyed-digest.ts'

const ID_BYTES = 16

/** A device, as its cookie describes it. */
export interface Device {
  id: string
  /** One per user who has signed in there, the latest first. */
  proofs: string[]
}

interface User {
  id: string
  password_hash: string | null
}

const cookiePattern = new RegExp(
  `^[0-9a-f]{${2 * ID_BYTES}}(\\.[0-9a-f]{64}){0,${DEVICE_USERS_MAX}}$`,
)

/** The device of a request, proven or not; a new one if there is no cookie. */
export const deviceOf = (request: Request): Device => deviceFrom(cookieOf(request, DEVICE_COOKIE))

/** The device that the value of a cookie describes; a new one if it describes none. */
export function deviceFrom(cookie: string | undefined): Device {
  if (cookie === undefined || !cookiePattern.test(cookie)) {
    return { id: randomToken(ID_BYTES), proofs: [] }
  }
  const [id, ...proofs] = cookie.split('.')
  return { id: id!, proofs }
}

const proofOf = (db: Db, device: Device, user: User): Promise<string> =>
  keyedDigest(db, `${device.id} ${user.id} ${user.password_hash}`)

/** Whether a user has signed in on a device before, with the present password. */
export async function isKnownDevice(db: Db, device: Device, user: User): Promise<boolean> {
  if (device.proofs.length === 0) return false
  const proof = await proofOf(db, device, user)
  return device.proofs.some((given) => sameText(given, proof))
}

/** The values of `set-cookie` for a device on which a user has just signed in. */
export async function deviceCookies(
  db: Db,
  request: Request,
  device: Device,
  user: User,
): Promise<string[]> {
  const proof = await proofOf(db, device, user)
  const proofs = [proof, ...device.proofs.filter((other) => other !== proof)]
  const value = [device.id, ...proofs.slice(0, DEVICE_USERS_MAX)].join('.')
  return cookieLines(request, DEVICE_COOKIE, value, {
    path: DEVICE_COOKIE_PATH,
    maxAge: DEVICE_COOKIE_AGE,
    sameSite: 'Lax',
  })
}
