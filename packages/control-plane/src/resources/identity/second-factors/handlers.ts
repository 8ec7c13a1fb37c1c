import type { OperationId, tables, Wire } from '@steading/api'
import {
  PASSKEY_COOKIE,
  secondFactorMessages as messages,
  SIGN_IN_FREE_FAILURES,
  SIGN_IN_FREE_FAILURES_OF_ADDRESS,
  SIGN_IN_FREE_VIEWS,
  SIGN_IN_STEP_MS,
  SIGN_IN_STEP_PATH,
  tooManySignInsMessage,
  tooManySignInViewsMessage,
} from '@steading/api/rules'
import type { Context, Handlers, HttpCall } from '../../../kernel/context.ts'
import { addCookies, cookieLines, cookieOf } from '../../../kernel/cookies.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf, readLive } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { randomToken } from '../../../kernel/secrets.ts'
import { type Work, type Writing, writingIn } from '../../../kernel/work.ts'
import { deviceCookies } from '../auth/devices.ts'
import { requireTurnOfNetworks } from '../auth/networks.ts'
import { requireOwnPassword } from '../auth/password-proof.ts'
import { requireTurn } from '../auth/throttle.ts'
import { endSessions, setSignInCookies, signIn } from '../sessions/sessions.ts'
import { userChanged } from '../users/create.ts'
import { versioning } from '../../workspace/setting-versions/keep.ts'
import { factorsOf, methodsOf, policyOf, setupOf } from './factors.ts'
import {
  hostOf,
  registrationOptions,
  toWirePasskey,
  useOptions,
  verifyRegistration,
  verifyUse,
} from './passkeys.ts'
import {
  newTicket,
  noTicket,
  readTicket,
  spendTicket,
  type Ticket,
  ticketCookies,
} from './ticket.ts'
import { newRecoveryCodes, newTotp, setTotp, spendRecoveryCode, spendTotp } from './totp.ts'

type User = Row<'silo_user'>
type Silo = Row<'silo'>
type Step = Pick<Context<OperationId>, 'db' | 'http' | 'now' | 'services' | 'audit'>

/** The step of a sign-in; its user is noted in the audit log. */
async function stepOf({ db, http, now, audit }: Step, siloName: string) {
  const found = await readTicket(db, http.request, siloName, now)
  const { user, silo } = found
  audit.siloId = silo.id
  const { id, external_id: name } = user
  audit.note({ kind: 'silo_user', id, name, siloId: silo.id, projectId: null })
  return { ...found, factors: await factorsOf(db, silo.id, id) }
}

/** Sets the cookies of a browser whose user has passed all steps. */
async function enter(
  { db, http, services }: Step,
  token: string,
  user: User,
  silo: Silo,
  device: Ticket['device'] | undefined,
): Promise<void> {
  const { request, responseHeaders: headers } = http
  setSignInCookies(http, services.settings, token, silo.name)
  const known = device ? await deviceCookies(db, request, device, user) : []
  addCookies(headers, [...noTicket(request), ...known])
}

/**
 * Counts the use of a code as a failure until it has succeeded. Only callers with the password get
 * here; the owner's own devices have an allowance that nobody else can use up.
 * @throws ApiError 429 if the caller has to wait
 */
function countCode(
  { throttle }: Work['services'],
  { known, device }: Ticket,
  user: User,
): () => void {
  const key = known ? `code on ${device.id} of ${user.id}` : `code of ${user.id}`
  requireTurn(throttle, key, SIGN_IN_FREE_FAILURES, tooManySignInsMessage)
  return () => throttle.forgive(key)
}

/** Checks a factor, and returns a function that uses it up in the transaction given. */
async function checkFactor(
  ctx: Step,
  { ticket, user }: { ticket: Ticket; user: User },
  factor: Wire.SecondFactorUse,
): Promise<(tx: Db) => Promise<void>> {
  const { db, http, now, services } = ctx
  if (factor.type === 'passkey') {
    const purpose = `use ${ticket.nonce}`
    const options = { alone: false, now }
    const { passkey, record } = await verifyUse(db, http.request, purpose, factor.response, options)
    if (passkey.user_id !== user.id) {
      throw fail.invalidRequest(messages.refused(messages.unknownPasskey))
    }
    return record
  }
  const succeeded = countCode(services, ticket, user)
  return async (tx) => {
    const isTotp = factor.type === 'totp'
    const isRight = isTotp
      ? await spendTotp(tx, user.id, factor.code, now)
      : await spendRecoveryCode(tx, user.id, factor.code)
    if (!isRight) {
      throw fail.invalidValue('code', isTotp ? messages.wrongCode : messages.wrongRecoveryCode)
    }
    succeeded()
  }
}

/** Verifies a new factor, and returns a function that stores it in the transaction given. */
async function checkNew(
  { db, http, now }: Pick<Step, 'db' | 'http' | 'now'>,
  purpose: string,
  factor: Wire.NewFactor,
): Promise<(tx: Db, userId: string) => Promise<void>> {
  return factor.type === 'totp'
    ? (tx, userId) => setTotp(tx, userId, factor, now)
    : verifyRegistration(db, http.request, purpose, factor, now)
}

async function beginSetup(
  { db, http, now }: Pick<Step, 'db' | 'http' | 'now'>,
  purpose: string,
  user: { id: string; name: string },
  siloId: string,
  { type }: Wire.FactorSetupRequest,
): Promise<Wire.FactorSetup> {
  if (type === 'totp') return { type, ...newTotp(user.name) }
  const { passkeys } = await factorsOf(db, siloId, user.id)
  const options = await registrationOptions(db, http.request, purpose, user, passkeys, now)
  return { type, options }
}

/** Recovery codes for a user who has none. */
async function firstRecoveryCodes(db: Db, userId: string): Promise<Wire.RecoveryCodes> {
  const some = await db
    .selectFrom('recovery_code')
    .select('digest')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return { recovery_codes: some ? null : await newRecoveryCodes(db, userId) }
}

/** Removes recovery codes that no factor is left to recover. */
async function removeUselessCodes(db: Db, userId: string, siloId: string): Promise<void> {
  const { totp, passkeys } = await factorsOf(db, siloId, userId)
  if (totp || passkeys.length > 0) return
  await db.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
}

type Own = Pick<Context<OperationId>, 'db' | 'http' | 'now' | 'services' | 'audit' | 'actor'>

/** The local user who makes a call. @throws ApiError 404 for users of identity providers */
async function ownUser({ db, actor }: Pick<Own, 'db' | 'actor'>): Promise<User> {
  const { identity_mode } = await readLive(db, 'silo', actor.siloId, 'identity_mode')
  if (identity_mode !== 'local_only') throw fail.notFoundByName('identity-provider', 'local')
  return readLive(db, 'silo_user', actor.userId)
}

const ownPurpose = ({ actor, http }: Pick<Own, 'actor' | 'http'>): string =>
  `add ${actor.userId} ${http.credential?.id}`

/** Changes the factors of the caller, whose pages are told. */
const change = <T>(ctx: Own, user: User, run: (work: Writing) => Promise<T>): Promise<T> =>
  ctx.services.database.transaction(async (tx) => {
    const work = writingIn(tx, ctx.now, ctx.actor, ctx.audit)
    const result = await run(work)
    await userChanged(work, user, 'update')
    return result
  })

const purposeOfLogin = (silo: string, http: HttpCall): string | undefined => {
  const browser = cookieOf(http.request, PASSKEY_COOKIE)
  return browser === undefined ? undefined : `login ${silo} ${browser}`
}

/** @throws ApiError 404 for a silo whose users do not sign in here */
async function localSilo(db: Db, name: string): Promise<Silo> {
  const silo = await rowsOf(db, 'silo').selectAll().where('name', '=', name).executeTakeFirst()
  if (!silo) throw fail.notFoundByName('silo', name)
  if (silo.identity_mode !== 'local_only') throw fail.notFoundByName('identity-provider', 'local')
  return silo
}

export const secondFactorHandlers: Handlers<typeof tables.secondFactorOperations> = {
  async second_factor_view(ctx) {
    const { db, http, now } = ctx
    const { ticket, user, factors } = await stepOf(ctx, ctx.params.silo_name)
    const methods = ticket.verified ? [] : methodsOf(factors)
    const host = hostOf(http.request)?.host
    const here = factors.passkeys.filter((passkey) => passkey.host === host)
    const usesPasskey = methods.includes('passkey') && here.length > 0
    return {
      username: user.external_id,
      methods,
      passkey_options: usesPasskey
        ? await useOptions(db, http.request, `use ${ticket.nonce}`, here, now)
        : null,
      setup: methods.length > 0 ? [] : setupOf(factors),
    }
  },

  async second_factor_use(ctx) {
    const { http, now, services, audit, body } = ctx
    const step = await stepOf(ctx, ctx.params.silo_name)
    const { ticket, user, silo, factors } = step
    if (ticket.verified || !methodsOf(factors).includes(body.type)) {
      throw fail.invalidRequest(
        body.type === 'totp' && factors.totp ? messages.notPermitted : messages.wrongCode,
      )
    }
    const use = await checkFactor(ctx, step, body)
    const isDone = body.type === 'recovery_code' || setupOf(factors).length === 0
    const token = await services.database.transaction(async (tx) => {
      await use(tx)
      await spendTicket(tx, ticket)
      if (!isDone) return undefined
      audit.author = { userId: user.id, displayName: user.display_name, siloId: silo.id }
      return signIn(writingIn(tx, now, undefined, audit), user.id, http)
    })
    if (token === undefined) {
      const next = { ...newTicket(now, ticket.known, ticket.device), verified: true }
      addCookies(http.responseHeaders, await ticketCookies(ctx.db, http.request, next, user))
      return { signed_in: false }
    }
    await enter(ctx, token, user, silo, ticket.device)
    return { signed_in: true }
  },

  async second_factor_setup_begin(ctx) {
    const { ticket, user, silo, factors } = await stepOf(ctx, ctx.params.silo_name)
    requireSetup(ticket, factors, ctx.body.type)
    const owner = { id: user.id, name: user.external_id }
    return beginSetup(ctx, `add ${ticket.nonce}`, owner, silo.id, ctx.body)
  },

  async second_factor_setup(ctx) {
    const { http, now, services, audit, body } = ctx
    const { ticket, user, silo, factors } = await stepOf(ctx, ctx.params.silo_name)
    requireSetup(ticket, factors, body.type)
    const store = await checkNew(ctx, `add ${ticket.nonce}`, body)
    const { token, codes } = await services.database.transaction(async (tx) => {
      const work = writingIn(tx, now, undefined, audit)
      await spendTicket(tx, ticket)
      // A factor may have been set up meanwhile, which would have to be used.
      requireSetup(ticket, await factorsOf(tx, silo.id, user.id), body.type)
      await store(tx, user.id)
      audit.author = { userId: user.id, displayName: user.display_name, siloId: silo.id }
      await userChanged(work, user, 'update')
      return {
        codes: await firstRecoveryCodes(tx, user.id),
        token: await signIn(work, user.id, http),
      }
    })
    await enter(ctx, token, user, silo, ticket.device)
    return codes
  },

  async passkey_login_begin(ctx) {
    const { db, http, now, services } = ctx
    requireTurnOfNetworks(
      services.throttle,
      'passkey options of',
      http.clientAddress,
      SIGN_IN_FREE_VIEWS,
      tooManySignInViewsMessage,
    )
    const { silo_name } = ctx.params
    await localSilo(db, silo_name)
    const browser = randomToken(16)
    const purpose = `login ${silo_name} ${browser}`
    const options = await useOptions(db, http.request, purpose, undefined, now)
    addCookies(
      http.responseHeaders,
      cookieLines(http.request, PASSKEY_COOKIE, browser, {
        path: SIGN_IN_STEP_PATH,
        maxAge: SIGN_IN_STEP_MS / 1000,
        sameSite: 'Strict',
      }),
    )
    return { options }
  },

  async passkey_login(ctx) {
    const { db, http, now, services, audit } = ctx
    const { silo_name } = ctx.params
    const silo = await localSilo(db, silo_name)
    audit.siloId = silo.id
    const purpose = purposeOfLogin(silo_name, http)
    if (purpose === undefined) throw fail.invalidRequest(messages.refused(messages.stale))
    const refund = requireTurnOfNetworks(
      services.throttle,
      'passkeys of',
      http.clientAddress,
      SIGN_IN_FREE_FAILURES_OF_ADDRESS,
      tooManySignInsMessage,
    )
    const options = { alone: true, now }
    const { passkey, record } = await verifyUse(
      db,
      http.request,
      purpose,
      ctx.body.response,
      options,
    )
    const { user, token } = await services.database.transaction(async (tx) => {
      const found = await rowsOf(tx, 'silo_user')
        .selectAll()
        .where('its.id', '=', passkey.user_id)
        .where('its.silo_id', '=', silo.id)
        .executeTakeFirst()
      // A user without a password is not permitted to sign in.
      if (!found?.password_hash || found.time_deactivated !== null) throw fail.unauthorized()
      const { id, external_id: name, display_name: displayName } = found
      audit.note({ kind: 'silo_user', id, name, siloId: silo.id, projectId: null })
      audit.author = { userId: id, displayName, siloId: silo.id }
      await record(tx)
      const opened = await signIn(writingIn(tx, now, undefined, audit), id, http)
      return { user: found, token: opened }
    })
    refund()
    await enter(ctx, token, user, silo, undefined)
  },

  async sign_in_security_view({ db, actor }) {
    const { identity_mode } = await readLive(db, 'silo', actor.siloId, 'identity_mode')
    const { password_hash } = await readLive(db, 'silo_user', actor.userId, 'password_hash')
    const { policy, totp, passkeys, recoveryCodes } = await factorsOf(
      db,
      actor.siloId,
      actor.userId,
    )
    return {
      local: identity_mode === 'local_only',
      has_password: password_hash !== null,
      time_totp: totp?.time_created ?? null,
      passkeys: passkeys.map(toWirePasskey),
      recovery_codes: recoveryCodes,
      policy,
    }
  },

  async factor_setup_begin(ctx) {
    const { id, external_id: name, silo_id } = await ownUser(ctx)
    return beginSetup(ctx, ownPurpose(ctx), { id, name }, silo_id, ctx.body)
  },

  async factor_setup(ctx) {
    const { current_password, factor } = ctx.body
    const user = await ownUser(ctx)
    await requireOwnPassword(ctx, ctx.http, current_password)
    const store = await checkNew(ctx, ownPurpose(ctx), factor)
    return change(ctx, user, async ({ db }) => {
      await store(db, user.id)
      return firstRecoveryCodes(db, user.id)
    })
  },

  async factor_remove(ctx) {
    const { current_password, factor } = ctx.body
    const user = await ownUser(ctx)
    await requireOwnPassword(ctx, ctx.http, current_password)
    await change(ctx, user, async ({ db }) => {
      if (factor.type === 'totp') {
        await db.deleteFrom('totp').where('user_id', '=', user.id).execute()
      } else {
        const { numDeletedRows } = await db
          .deleteFrom('passkey')
          .where('user_id', '=', user.id)
          .where('id', '=', factor.id)
          .executeTakeFirstOrThrow()
        if (numDeletedRows === 0n) throw fail.notFoundById('passkey', factor.id)
      }
      await removeUselessCodes(db, user.id, user.silo_id)
    })
  },

  async recovery_codes_create(ctx) {
    const user = await ownUser(ctx)
    await requireOwnPassword(ctx, ctx.http, ctx.body.current_password)
    return change(ctx, user, async ({ db }) => ({
      recovery_codes: await newRecoveryCodes(db, user.id),
    }))
  },

  async passkey_update(ctx) {
    const { passkey_id: id } = ctx.params
    const user = await ownUser(ctx)
    const { numUpdatedRows } = await ctx.db
      .updateTable('passkey')
      .set({ name: ctx.body.name.trim() })
      .where('user_id', '=', user.id)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw fail.notFoundById('passkey', id)
    await userChanged(ctx, user, 'update')
  },

  async user_factors_delete(ctx) {
    const user = await lookup(ctx, 'silo_user', ctx.params.user_id)
    for (const table of ['totp', 'recovery_code', 'passkey'] as const) {
      await ctx.db.deleteFrom(table).where('user_id', '=', user.id).execute()
    }
    await endSessions(ctx, { userId: user.id, but: ctx.http.credential?.id }, 'administrator')
    await userChanged(ctx, user, 'update')
  },

  async sign_in_policy_view(ctx) {
    const { id } = await lookup(ctx, 'silo', ctx.params.silo)
    return { second_factor: await policyOf(ctx.db, id) }
  },

  async sign_in_policy_update(ctx) {
    const silo = await lookup(ctx, 'silo', ctx.params.silo)
    const { second_factor } = ctx.body
    return versioning(ctx, 'sign_in_policy', silo.id, async () => {
      await ctx.db
        .insertInto('sign_in_policy')
        .values({ silo_id: silo.id, second_factor })
        .onConflict((conflict) => conflict.column('silo_id').doUpdateSet({ second_factor }))
        .execute()
      await ctx.emit('silo', 'update', { ...silo, silo_id: silo.id })
      return { second_factor }
    })
  },
}

/**
 * A password alone may set up a factor only for a user without one.
 * @throws ApiError 401
 */
function requireSetup(
  { verified }: Ticket,
  factors: Awaited<ReturnType<typeof factorsOf>>,
  type: Wire.SecondFactorKind,
): void {
  if (!verified && methodsOf(factors).length > 0) throw fail.unauthorized()
  if (!setupOf(factors).includes(type)) throw fail.unauthorized()
}
