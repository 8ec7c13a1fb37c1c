import type { tables } from '@steading/api'
import {
  SIGN_IN_FREE_FAILURES,
  SIGN_IN_FREE_FAILURES_OF_ADDRESS,
  tooManySignInsMessage,
} from '@steading/api/rules'
import { authorize } from '../../kernel/authz/authorize.ts'
import { fail } from '../../kernel/errors.ts'
import type { Handlers } from '../../kernel/context.ts'
import { lookup } from '../../kernel/lookup.ts'
import { writingIn } from '../../kernel/work.ts'
import { endSessions, sessionCookie, sessionToken, signIn } from '../sessions/sessions.ts'
import { type Device, deviceCookie, deviceOf, isKnownDevice } from './devices.ts'
import { endCredentials } from './end-credentials.ts'
import { networkOf } from './network.ts'
import { type LoginThrottle, requireTurn } from './throttle.ts'

/** Verified when there is no user, so that both cases take the same time. Made on first use. */
let decoy: Promise<string> | undefined

/**
 * Counts an attempt to sign in, as a failure until it has succeeded.
 * @param known the device, if the user has signed in on it before
 * @throws ApiError 429 if the client has to wait
 */
function countAttempt(
  throttle: LoginThrottle,
  user: string,
  network: string,
  known: Device | undefined,
): { succeeded: () => void } {
  if (known) {
    const key = `device ${known.id} ${user}`
    requireTurn(throttle, key, SIGN_IN_FREE_FAILURES, tooManySignInsMessage)
    return { succeeded: () => throttle.forgive(key) }
  }
  const [addressKey, userKey] = [`address ${network}`, `user ${user} from ${network}`]
  requireTurn(throttle, addressKey, SIGN_IN_FREE_FAILURES_OF_ADDRESS, tooManySignInsMessage)
  try {
    requireTurn(throttle, userKey, SIGN_IN_FREE_FAILURES, tooManySignInsMessage)
  } catch (error) {
    // Refused because of the user, without checking a password, so it is no failure of the address.
    throttle.refund(addressKey)
    throw error
  }
  return {
    succeeded() {
      throttle.forgive(userKey)
      // Earlier failures of the address stay: one valid account must not allow guesses at others.
      throttle.refund(addressKey)
    },
  }
}

export const authHandlers: Handlers<typeof tables.authOperations> = {
  async login_local(ctx) {
    const { passwords, throttle, settings, database } = ctx.services
    const { username, password } = ctx.body
    const silo = await ctx.db
      .selectFrom('silo')
      .select(['id', 'identity_mode'])
      .where('name', '=', ctx.params.silo_name)
      .where('time_deleted', 'is', null)
      .executeTakeFirst()
    if (!silo) throw fail.notFoundByName('silo', ctx.params.silo_name)
    ctx.trail.siloId = silo.id
    if (silo.identity_mode !== 'local_only') throw fail.notFoundByName('identity-provider', 'local')

    const user = await ctx.db
      .selectFrom('silo_user')
      .select(['id', 'display_name', 'password_hash', 'time_deactivated'])
      .where('silo_id', '=', silo.id)
      .where('external_id', '=', username)
      .where('time_deleted', 'is', null)
      .executeTakeFirst()
    if (user) {
      ctx.trail.note({
        kind: 'silo_user',
        id: user.id,
        name: username,
        siloId: silo.id,
        projectId: null,
      })
    }
    const device = deviceOf(ctx.http.request)
    const isKnown = user !== undefined && (await isKnownDevice(database.db, device, user))
    const counted = countAttempt(
      throttle,
      `${silo.id} ${username}`,
      networkOf(ctx.http.clientAddress),
      isKnown ? device : undefined,
    )
    decoy ??= passwords.hash(crypto.randomUUID())
    const matches = await passwords.verify(password, user?.password_hash ?? (await decoy))
    if (!user?.password_hash || !matches || user.time_deactivated !== null) {
      throw fail.unauthorized()
    }
    counted.succeeded()
    ctx.trail.author = { userId: user.id, displayName: user.display_name, siloId: silo.id }
    const token = await signIn(writingIn(database.db, ctx.now), user.id, ctx.http)
    ctx.http.responseHeaders.append(
      'set-cookie',
      sessionCookie(ctx.http.request, token, settings.sessionAbsoluteMs),
    )
    ctx.http.responseHeaders.append(
      'set-cookie',
      await deviceCookie(database.db, ctx.http.request, device, user),
    )
  },

  async logout(ctx) {
    const token = sessionToken(ctx.http.request)
    if (token) {
      await ctx.services.database.concurrently((db) =>
        endSessions(writingIn(db, ctx.now), { token }),
      )
    }
    ctx.http.responseHeaders.append('set-cookie', sessionCookie(ctx.http.request, '', 0))
  },

  async user_logout(ctx) {
    const { id: userId, silo_id: siloId } = await lookup(ctx, 'silo_user', ctx.params.user_id)
    authorize(ctx, 'console_session', { siloId, userId })
    authorize(ctx, 'access_token', { siloId, userId })
    await endCredentials(ctx, userId)
  },
}
