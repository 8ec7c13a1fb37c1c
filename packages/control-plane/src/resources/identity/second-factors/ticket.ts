/**
 * The cookie between the password and the second factor. It names the user, and is signed with a
 * secret of the database and the password's hash, so a new password ends it. It is used once.
 */
import { SIGN_IN_STEP_MS, SIGN_IN_STEP_PATH, SIGN_IN_TICKET_COOKIE } from '@steading/api/rules'
import { cookieLines, cookieOf } from '../../../kernel/cookies.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { randomToken } from '../../../kernel/secrets.ts'
import { type Device, deviceFrom } from '../auth/devices.ts'
import { keyedDigest, sameText } from '../auth/keyed-digest.ts'
import { useOnce } from '../auth/use-once.ts'

const NONCE_BYTES = 16

type User = Pick<Row<'silo_user'>, 'id' | 'password_hash'>

export interface Ticket {
  nonce: string
  end: Date
  /** Whether a factor was used, and another has to be set up. */
  verified: boolean
  /** Whether the user has signed in on the device before. */
  known: boolean
  device: Device
}

const textOf = ({ nonce, end, verified, known, device }: Ticket, { id }: User): string =>
  [
    id,
    nonce,
    end.getTime().toString(36),
    verified ? 'v' : 'n',
    known ? 'k' : 'u',
    [device.id, ...device.proofs].join('_'),
  ].join('.')

const proofOf = (db: Db, text: string, { password_hash }: User): Promise<string> =>
  keyedDigest(db, `sign-in ticket ${text} ${password_hash}`)

export const newTicket = (now: Date, known: boolean, device: Device): Ticket => ({
  nonce: randomToken(NONCE_BYTES),
  end: new Date(now.getTime() + SIGN_IN_STEP_MS),
  verified: false,
  known,
  device,
})

const cookiesWith = (request: Request, value: string, maxAge: number): string[] =>
  cookieLines(request, SIGN_IN_TICKET_COOKIE, value, {
    path: SIGN_IN_STEP_PATH,
    maxAge,
    sameSite: 'Strict',
  })

/** The values of `set-cookie` for a ticket. */
export async function ticketCookies(
  db: Db,
  request: Request,
  ticket: Ticket,
  user: User,
): Promise<string[]> {
  const text = textOf(ticket, user)
  const value = `${text}.${await proofOf(db, text, user)}`
  return cookiesWith(request, value, SIGN_IN_STEP_MS / 1000)
}

/** The values of `set-cookie` that remove the ticket. */
export const noTicket = (request: Request): string[] => cookiesWith(request, '', 0)

/**
 * The ticket of a request, and its user in a silo.
 * @throws ApiError 401 if there is none, or it has ended
 */
export async function readTicket(
  db: Db,
  request: Request,
  siloName: string,
  now: Date,
): Promise<{ ticket: Ticket; user: Row<'silo_user'>; silo: Row<'silo'> }> {
  const parts = (cookieOf(request, SIGN_IN_TICKET_COOKIE) ?? '').split('.')
  const [id, nonce, expires, state, known, device, proof] = parts
  if (parts.length !== 7 || !id || !proof) throw fail.unauthorized()
  const silo = await rowsOf(db, 'silo').selectAll().where('name', '=', siloName).executeTakeFirst()
  const user =
    silo &&
    (await rowsOf(db, 'silo_user')
      .selectAll()
      .where('its.id', '=', id)
      .where('its.silo_id', '=', silo.id)
      .executeTakeFirst())
  if (!user || user.password_hash === null || user.time_deactivated !== null) {
    throw fail.unauthorized()
  }
  const text = parts.slice(0, -1).join('.')
  if (!sameText(proof, await proofOf(db, text, user))) throw fail.unauthorized()
  const ticket: Ticket = {
    nonce: nonce!,
    end: new Date(Number.parseInt(expires!, 36)),
    verified: state === 'v',
    known: known === 'k',
    device: deviceFrom(device!.replaceAll('_', '.')),
  }
  if (ticket.end <= now) throw fail.unauthorized()
  return { ticket, user, silo }
}

/** @throws ApiError 401 if the ticket was used before */
export async function spendTicket(db: Db, { nonce, end }: Ticket): Promise<void> {
  if (!(await useOnce(db, `sign-in ticket ${nonce}`, end))) throw fail.unauthorized()
}
