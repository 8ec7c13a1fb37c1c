/**
 * Devices that have signed in before. A device keeps a cookie with an id of its own and a proof for
 * each user who has signed in there; a stranger who guesses passwords has no proof, so the failures
 * of strangers do not slow down a known device. A proof ends with the password it was made for.
 *
 * Nothing is stored per device: proofs are digests with a secret of the database.
 */
import {
  DEVICE_COOKIE,
  DEVICE_COOKIE_AGE,
  DEVICE_COOKIE_PATH,
  DEVICE_USERS_MAX,
} from '@steading/api/rules'
import type { Db } from '../../kernel/db/database.ts'
import { cookieOf, secureFlag } from '../../kernel/cookies.ts'
import { digest, randomToken } from '../../kernel/secrets.ts'

const ID_BYTES = 16
const SECRET_BYTES = 32
const SECRET_KEY = 'device_secret'

/** A device, as its cookie describes it. */
export interface Device {
  id: string
  /** One for each user who has signed in there, the latest first. */
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
export function deviceOf(request: Request): Device {
  const cookie = cookieOf(request, DEVICE_COOKIE)
  if (cookie === undefined || !cookiePattern.test(cookie)) {
    return { id: randomToken(ID_BYTES), proofs: [] }
  }
  const [id, ...proofs] = cookie.split('.')
  return { id: id!, proofs }
}

/** The secret of this database, made on first use. */
async function secretOf(db: Db): Promise<string> {
  const stored = () =>
    db.selectFrom('setting').select('value').where('key', '=', SECRET_KEY).executeTakeFirst()
  const found = await stored()
  if (found) return found.value
  await db
    .insertInto('setting')
    .values({ key: SECRET_KEY, value: randomToken(SECRET_BYTES) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  // Another process may have stored its secret first.
  return (await stored())!.value
}

/** A digest of a digest, which prevents length extension. */
async function proofOf(db: Db, device: Device, user: User): Promise<string> {
  const secret = await secretOf(db)
  return digest(
    `${secret} ${await digest(`${secret} ${device.id} ${user.id} ${user.password_hash}`)}`,
  )
}

/** Compares in a time that does not depend on where the texts differ. */
function sameText(one: string, other: string): boolean {
  let different = one.length ^ other.length
  for (let index = 0; index < one.length; index++) {
    different |= one.charCodeAt(index) ^ other.charCodeAt(index)
  }
  return different === 0
}

/** Whether a user has signed in on a device before, with the present password. */
export async function isKnownDevice(db: Db, device: Device, user: User): Promise<boolean> {
  if (device.proofs.length === 0) return false
  const proof = await proofOf(db, device, user)
  return device.proofs.some((given) => sameText(given, proof))
}

/** The cookie of a device on which a user has just signed in. */
export async function deviceCookie(
  db: Db,
  request: Request,
  device: Device,
  user: User,
): Promise<string> {
  const proof = await proofOf(db, device, user)
  const proofs = [proof, ...device.proofs.filter((other) => other !== proof)]
  const value = [device.id, ...proofs.slice(0, DEVICE_USERS_MAX)].join('.')
  return `${DEVICE_COOKIE}=${value}; Path=${DEVICE_COOKIE_PATH}; HttpOnly; SameSite=Lax;${secureFlag(request)} Max-Age=${DEVICE_COOKIE_AGE}`
}
