import type { tables } from '@steading/api'
import {
  DEVICE_CODE_BYTES,
  DEVICE_FREE_REQUESTS,
  DEVICE_GRANT_TYPE,
  DEVICE_REQUEST_KEPT_MS,
  DEVICE_REQUEST_MS,
  deviceMessages,
  SIGN_IN_FREE_FAILURES,
} from '@steading/api/rules'
import type { Context, Handlers } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { digest, randomToken } from '../../../kernel/secrets.ts'
import { readRow } from '../../../kernel/db/rows.ts'
import { tokenOfDevice } from '../access-tokens/tokens.ts'
import { requireTurnOfNetworks } from '../auth/networks.ts'
import { requireTurn } from '../auth/throttle.ts'
import type { DeviceAuthRequestTable } from './table.ts'
import { expiryOf } from './expiry.ts'
import { randomUserCode } from './user-code.ts'

type Request = Omit<DeviceAuthRequestTable, 'user_code'>

const json = (status: number, body: object): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

/** An error in the form of RFC 6749, section 5.2. */
const refused = (error: string): Response => json(400, { error })

/** Stores a request under a new code. @returns the code */
async function store(db: Db, request: Request): Promise<string> {
  const row = { user_code: randomUserCode(), ...request }
  const stored = await db
    .insertInto('device_auth_request')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_code')
    .executeTakeFirst()
  // Another device is already waiting with the same code.
  return stored?.user_code ?? store(db, request)
}

/** Removes requests that no user confirmed in time. */
export const purgeDeviceRequests = (db: Db, now: Date) =>
  db
    .deleteFrom('device_auth_request')
    .where('time_created', '<', new Date(now.getTime() - DEVICE_REQUEST_KEPT_MS).toISOString())
    .execute()

/**
 * The request with a user code.
 * @throws ApiError 404 if there is none, 400 if it has expired, 429 for a user who guesses
 */
async function requestOf(
  { db, actor, services, now }: Context<'device_auth_confirm'>,
  code: string,
) {
  const key = `user code ${actor.userId}`
  requireTurn(services.throttle, key, SIGN_IN_FREE_FAILURES, deviceMessages.tooManyGuesses)
  const request = await db
    .selectFrom('device_auth_request')
    .selectAll()
    .where('user_code', '=', code)
    .executeTakeFirst()
  if (!request) throw fail.notFoundById('device-auth-request', code)
  // A caller with a valid code has not guessed it. Earlier guesses stay counted; otherwise a code
  // of one's own now and then would allow any number of them.
  services.throttle.refund(key)
  const age = now.getTime() - Date.parse(request.time_created)
  if (age >= DEVICE_REQUEST_MS) throw fail.invalidRequest(deviceMessages.expired)
  return request
}

export const deviceAuthHandlers: Handlers<typeof tables.deviceAuthOperations> = {
  async device_auth_request({ db, body, http, services, now }) {
    requireTurnOfNetworks(
      services.throttle,
      'devices of',
      http.clientAddress,
      DEVICE_FREE_REQUESTS,
      deviceMessages.tooManyRequests,
    )
    await purgeDeviceRequests(db, now)
    const device_code = randomToken(DEVICE_CODE_BYTES)
    const user_code = await store(db, {
      device_code_hash: await digest(device_code),
      token_hash: await digest(await tokenOfDevice(device_code)),
      client_id: body.client_id,
      ttl_seconds: body.ttl_seconds ?? null,
      time_created: now.toISOString(),
    })
    return json(200, {
      device_code,
      user_code,
      verification_uri: `${new URL(http.request.url).origin}/device/verify`,
      expires_in: DEVICE_REQUEST_MS / 1000,
    })
  },

  async device_auth_confirm(ctx) {
    const { db, actor, http, now, emit } = ctx
    const { user_code, ttl_seconds, device_code_hash, token_hash, client_id } = await requestOf(
      ctx,
      ctx.body.user_code,
    )
    const { device_token_max_ttl_seconds: max } = await readRow(
      db,
      'silo',
      actor.siloId,
      'device_token_max_ttl_seconds',
    )
    const expires = expiryOf(ttl_seconds, max, http.credential!, now)
    const id = crypto.randomUUID()
    await db
      .insertInto('access_token')
      .values({
        id,
        token_hash,
        device_code_hash,
        client_id,
        user_id: actor.userId,
        time_created: now.toISOString(),
        time_expires: expires?.toISOString() ?? null,
        name: null,
        access: 'full',
        projects: null,
        created_address: null,
        time_last_used: null,
        last_used_address: null,
      })
      .execute()
    await db.deleteFrom('device_auth_request').where('user_code', '=', user_code).execute()
    await emit('access_token', 'create', { id, name: '', user_id: actor.userId })
  },

  async device_access_token({ db, body, now }) {
    const { grant_type, device_code, client_id } = body
    if (grant_type !== DEVICE_GRANT_TYPE) return refused('unsupported_grant_type')
    const token = await db
      .selectFrom('access_token')
      .select(['id', 'time_expires'])
      .where('device_code_hash', '=', await digest(device_code))
      .where('client_id', '=', client_id)
      .executeTakeFirst()
    if (!token) return refused('authorization_pending')
    const { id: token_id, time_expires } = token
    if (time_expires !== null && time_expires <= now.toISOString()) return refused('access_denied')
    const access_token = await tokenOfDevice(device_code)
    return json(200, { access_token, token_type: 'bearer', token_id, time_expires })
  },
}
