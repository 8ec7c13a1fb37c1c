import type { authOperations } from '@steading/api'
import type { Handlers } from '../../kernel/context.ts'
import { fail } from '../../kernel/errors.ts'
import { ADDRESS_BURST, USER_BURST } from './throttle.ts'
import { createSession, deleteSession, sessionCookie, sessionToken } from './sessions.ts'

/** Verified when there is no user, so that both cases take the same time. Made on first use. */
let decoy: Promise<string> | undefined

export const authHandlers: Handlers<typeof authOperations> = {
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
    if (silo.identity_mode !== 'local_only') throw fail.notFoundByName('identity-provider', 'local')

    const userKey = `user ${silo.id} ${username}`
    const addressKey = `address ${ctx.http.clientAddress}`
    const tooMany = () =>
      fail.tooManyRequests('too many failed attempts to log in; wait a minute and try again')
    if (!throttle.attempt(addressKey, ADDRESS_BURST)) throw tooMany()
    if (!throttle.attempt(userKey, USER_BURST)) {
      // Refused for the name: the address has not guessed again.
      throttle.refund(addressKey)
      throw tooMany()
    }
    const user = await ctx.db
      .selectFrom('silo_user')
      .select(['id', 'password_hash'])
      .where('silo_id', '=', silo.id)
      .where('external_id', '=', username)
      .where('time_deleted', 'is', null)
      .executeTakeFirst()
    decoy ??= passwords.hash(crypto.randomUUID())
    const matches = await passwords.verify(password, user?.password_hash ?? (await decoy))
    if (!user?.password_hash || !matches) throw fail.unauthorized()
    throttle.forgive(userKey)
    // Not forgiven: one good account must not buy guesses at others.
    throttle.refund(addressKey)
    const token = await createSession(database.db, user.id, ctx.now)
    ctx.http.responseHeaders.append(
      'set-cookie',
      sessionCookie(ctx.http.request, token, settings.sessionAbsoluteMs),
    )
  },

  async logout(ctx) {
    const token = sessionToken(ctx.http.request)
    if (token) await deleteSession(ctx.db, token)
    ctx.http.responseHeaders.append('set-cookie', sessionCookie(ctx.http.request, '', 0))
  },
}
