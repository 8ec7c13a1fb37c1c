import type { tables } from '@steading/api'
import {
  notPresentPassword,
  SIGN_IN_FREE_VIEWS,
  tooManySignInViewsMessage,
} from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import { ApiError, fail } from '../../../kernel/errors.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { addCookies } from '../../../kernel/cookies.ts'
import { rowsOf, readLive } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { type Work, writingIn } from '../../../kernel/work.ts'
import { factorsOf, methodsOf, setupOf } from '../second-factors/factors.ts'
import { hostOf } from '../second-factors/passkeys.ts'
import { newTicket, ticketCookies } from '../second-factors/ticket.ts'
import {
  endOfSession,
  endSessions,
  sessionTokens,
  setSessionCookies,
  signIn,
  setSignInCookies,
} from '../sessions/sessions.ts'
import { endPasswordLink } from '../user-links/links.ts'
import { checkPassword, countAttempt } from './count-attempt.ts'
import { deviceCookies, deviceOf, isKnownDevice } from './devices.ts'
import { endCredentials } from './end-credentials.ts'
import { problemOfNew, requireGoodPassword } from './new-password.ts'
import { requireTurnOfNetworks } from './networks.ts'
import { requireOwnPassword } from './password-proof.ts'

/**
 * Hash to verify against when the user does not exist, so that both cases take the same time.
 * Created on first use.
 */
let decoy: Promise<string> | undefined

const ownRow = ({ db, actor }: Pick<Work, 'db' | 'actor'>) =>
  readLive(
    db,
    'silo_user',
    actor.userId,
    'id',
    'external_id',
    'password_hash',
    'password_generated',
    'password_weak',
  )

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
    ctx.audit.siloId = silo?.id
    const user =
      silo &&
      (await ctx.db
        .selectFrom('silo_user')
        .select(['id', 'display_name', 'password_hash', 'password_weak', 'time_deactivated'])
        .where('silo_id', '=', silo.id)
        .where('external_id', '=', username)
        .where('time_deleted', 'is', null)
        .executeTakeFirst())
    if (user) {
      ctx.audit.note({
        kind: 'silo_user',
        id: user.id,
        name: username,
        siloId: silo.id,
        projectId: null,
      })
    }
    const device = deviceOf(ctx.http.request)
    const { clientAddress } = ctx.http
    const isKnown = user !== undefined && (await isKnownDevice(database.db, device, user))
    // Before anything is revealed about the silo, so that names of silos cannot be guessed without
    // limit.
    const counted = countAttempt(
      throttle,
      `${ctx.params.silo_name} ${username}`,
      clientAddress,
      isKnown ? device : undefined,
    )
    if (!silo) throw fail.notFoundByName('silo', ctx.params.silo_name)
    if (silo.identity_mode !== 'local_only') throw fail.notFoundByName('identity-provider', 'local')
    decoy ??= passwords.hash(crypto.randomUUID())
    const matches = await checkPassword(
      passwords,
      counted,
      password,
      user?.password_hash ?? (await decoy),
      isKnown ? { known: true } : { known: false, clientAddress },
    )
    if (!user?.password_hash || !matches || user.time_deactivated !== null) {
      throw fail.unauthorized()
    }
    counted.succeeded()
    // Only now is the password known to be correct; if it is weak, the console asks for another
    // one.
    const weak = (await problemOfNew(ctx.services, password, username)) ? 1 : 0
    if (weak !== (user.password_weak ?? 0)) {
      await database.db
        .updateTable('silo_user')
        .set({ password_weak: weak })
        .where('id', '=', user.id)
        .where('password_hash', '=', user.password_hash)
        .execute()
    }
    const factors = await factorsOf(database.db, silo.id, user.id)
    if (methodsOf(factors).length > 0 || setupOf(factors).length > 0) {
      const ticket = newTicket(ctx.now, isKnown, device)
      const cookies = await ticketCookies(database.db, ctx.http.request, ticket, user)
      throw new ApiError(fail.secondFactorRequired().template, {}, cookies)
    }
    ctx.audit.author = { userId: user.id, displayName: user.display_name, siloId: silo.id }
    const token = await signIn(writingIn(database.db, ctx.now), user.id, ctx.http)
    setSignInCookies(ctx.http, settings, token, ctx.params.silo_name)
    const { request, responseHeaders } = ctx.http
    addCookies(responseHeaders, await deviceCookies(database.db, request, device, user))
  },

  async logout(ctx) {
    for (const token of sessionTokens(ctx.http.request)) {
      await ctx.services.database.concurrently((db) =>
        endSessions(writingIn(db, ctx.now), { token }),
      )
    }
    setSessionCookies(ctx.http, '', 0)
  },

  async user_logout(ctx) {
    const { id: userId, silo_id: siloId } = await lookup(ctx, 'silo_user', ctx.params.user_id)
    authorize(ctx, 'console_session', { siloId, userId })
    authorize(ctx, 'access_token', { siloId, userId })
    await endCredentials(ctx, userId, userId === ctx.actor.userId ? 'ended' : 'administrator')
  },

  async sign_in_page_view(ctx) {
    const { request, clientAddress } = ctx.http
    const { throttle, settings, mail } = ctx.services
    requireTurnOfNetworks(
      throttle,
      'sign-in pages of',
      clientAddress,
      SIGN_IN_FREE_VIEWS,
      tooManySignInViewsMessage,
    )
    const { silo_name } = ctx.params
    const silo = await ctx.db
      .selectFrom('silo')
      .select(['id', 'identity_mode'])
      .where('name', '=', silo_name)
      .where('time_deleted', 'is', null)
      .executeTakeFirst()
    if (!silo) throw fail.notFoundByName('silo', silo_name)
    const providers = (kind: 'saml_identity_provider' | 'oidc_identity_provider') =>
      rowsOf(ctx.db, kind)
        .select(['its.name', 'its.description'])
        .where('its.silo_id', '=', silo.id)
        .orderBy('its.name')
        .execute()
    const [token] = sessionTokens(request)
    return {
      silo_name,
      local: silo.identity_mode === 'local_only',
      passkeys: silo.identity_mode === 'local_only' && hostOf(request) !== undefined,
      forgotten_passwords: silo.identity_mode === 'local_only' && mail !== undefined,
      identity_providers: await providers('saml_identity_provider'),
      oidc_providers: await providers('oidc_identity_provider'),
      signed_out_because: token ? await endOfSession(ctx.db, settings, token, ctx.now) : null,
    }
  },

  async current_user_password_view(ctx) {
    const { password_hash, password_generated, password_weak } = await ownRow(ctx)
    return {
      has_password: password_hash !== null,
      generated: password_generated === 1,
      weak: password_hash !== null && password_weak === 1,
    }
  },

  async current_user_password_update(ctx) {
    const { current_password, new_password, end_other_sessions } = ctx.body
    const { passwords, database } = ctx.services
    const { id, external_id, password_hash } = await ownRow(ctx)
    if (password_hash === null) throw fail.notFoundByName('identity-provider', 'local')
    await requireOwnPassword(ctx, ctx.http, current_password)
    await requireGoodPassword(ctx.services, 'new_password', new_password, external_id)
    const changed = await passwords.hash(new_password)
    await database.transaction(async (tx) => {
      const work = writingIn(tx, ctx.now, ctx.actor, ctx.audit)
      const { numUpdatedRows } = await tx
        .updateTable('silo_user')
        .set({
          password_hash: changed,
          password_generated: 0,
          password_weak: 0,
          time_modified: ctx.now.toISOString(),
        })
        .where('id', '=', id)
        .where('time_deleted', 'is', null)
        // Another call may have set another password meanwhile.
        .where('password_hash', '=', password_hash)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) {
        throw fail.invalidValue('current_password', notPresentPassword)
      }
      await endPasswordLink(tx, id)
      await work.emit('silo_user', 'update', {
        id,
        name: ctx.actor.displayName,
        silo_id: ctx.actor.siloId,
      })
      if (end_other_sessions) {
        await endSessions(work, { userId: id, but: ctx.http.credential?.id }, 'password')
      }
    })
  },
}
