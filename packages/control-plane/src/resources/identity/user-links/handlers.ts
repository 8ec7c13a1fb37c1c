import type { tables, Wire } from '@steading/api'
import {
  FORGOTTEN_FREE_OF_ADDRESS,
  FORGOTTEN_FREE_OF_USER,
  FORGOTTEN_WAITING_MAX,
  notificationMessages,
  tooManyForgotten,
  tooManyUserLinks,
  USER_LINK_FREE_USES,
  userLinkMessages,
  userLinkPath,
} from '@steading/api/rules'
import { publicConsoleOf } from '../../../kernel/console-url.ts'
import type { Handlers, HttpCall } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { unclaimed } from '../../../kernel/db/leases.ts'
import { countRows } from '../../../kernel/db/rows.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, readLive, rowsOf } from '../../../kernel/kinds.ts'
import { digest } from '../../../kernel/secrets.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { type Work, writingIn } from '../../../kernel/work.ts'
import { countConfirmation } from '../../observability/notifications/subscriptions.ts'
import { narrowestOf, requireTurnOfNetworks } from '../auth/networks.ts'
import { requireGoodPassword } from '../auth/new-password.ts'
import { requireOwnPassword } from '../auth/password-proof.ts'
import { requireTurn } from '../auth/throttle.ts'
import { endSessions } from '../sessions/sessions.ts'
import { lookupLocalUser } from '../users/lookup-local.ts'
import { updateUser } from '../users/update.ts'
import { createLink, followedLink, newSecret } from './links.ts'
import {
  confirmAddress,
  mailOf,
  requireMailAddress,
  setAddress,
  storeAddress,
} from './mail-addresses.ts'

/** @throws ApiError 501 at a server that sends no mail */
function requireMail({ mail }: ControlPlaneServices): void {
  if (!mail) throw fail.notImplemented(notificationMessages.noMail)
}

const wakeLinks = ({ afterCommit, services }: Pick<Work, 'afterCommit' | 'services'>) =>
  afterCommit(async () => services.reconciler.wake('user_link'))

/** @throws ApiError 429 for too many views and uses of links */
const requireTurnOfLinks = (
  { throttle }: Pick<ControlPlaneServices, 'throttle'>,
  { clientAddress }: Pick<HttpCall, 'clientAddress'>,
) =>
  requireTurnOfNetworks(throttle, 'links of', clientAddress, USER_LINK_FREE_USES, tooManyUserLinks)

/** @throws ApiError 404 for a link that is not valid */
async function requireLink(db: Db, token: string, now: Date) {
  const link = await followedLink(db, token, now)
  if (!link) throw fail.notFoundGeneric(userLinkMessages.badLink)
  return link
}

/** @throws ApiError 501 without mail, 400 without an address, for a link that is to be mailed */
async function addressOfLink(
  { services, db }: Pick<Work, 'services' | 'db'>,
  user: Row<'silo_user'>,
  { delivery, mail_address: given }: Wire.UserLinkCreate,
): Promise<string | undefined> {
  if (given !== undefined) {
    requireMailAddress(given)
    await storeAddress(db, user.id, given)
  }
  if (delivery === 'copy') return undefined
  requireMail(services)
  const address = (await mailOf(db, user.id))?.address
  if (address === undefined) throw fail.invalidRequest(userLinkMessages.noAddress)
  return address
}

const ownMail = async (db: Db, userId: string): Promise<Wire.OwnMailAddress> => {
  const mail = await mailOf(db, userId)
  return {
    mail_address: mail?.address ?? null,
    confirmed: (mail?.time_confirmed ?? null) !== null,
  }
}

export const userLinkHandlers: Handlers<typeof tables.userLinkOperations> = {
  async user_link_create(ctx) {
    const { services, body, params, query, actor } = ctx
    const user = await lookupLocalUser(ctx, query.silo ?? actor.siloId, params.user_id)
    if (user.time_deactivated !== null) throw fail.invalidRequest(userLinkMessages.deactivated)
    const address = await addressOfLink(ctx, user, body)
    const purpose = user.password_hash === null ? 'invitation' : 'password'
    const secret = address === undefined ? await newSecret() : undefined
    const { time_expires } = await createLink(ctx, user, {
      purpose,
      ...(address === undefined ? { token_hash: secret!.token_hash } : { address }),
    })
    if (address !== undefined) wakeLinks(ctx)
    const silo = await readLive(ctx.db, 'silo', user.silo_id, 'name')
    const base = secret && publicConsoleOf(services.settings, silo.name)
    return {
      purpose,
      time_expires,
      token: secret?.token ?? null,
      url: base && secret ? base + userLinkPath(secret.token) : null,
      mail_address: address ?? null,
    }
  },

  async user_mail_address_update(ctx) {
    const { services, body, params, query, actor } = ctx
    const user = await lookupLocalUser(ctx, query.silo ?? actor.siloId, params.user_id)
    if (body.mail_address !== null) requireMailAddress(body.mail_address)
    await setAddress(ctx, user, body.mail_address, services.mail !== undefined)
    wakeLinks(ctx)
  },

  current_user_mail_address_view: async ({ db, actor }) => ownMail(db, actor.userId),

  async current_user_mail_address_update(ctx) {
    const { services, body, actor, audit } = ctx
    const { mail_address: address, current_password } = body
    const { password_hash } = await readLive(ctx.db, 'silo_user', actor.userId, 'password_hash')
    if (password_hash === null) throw fail.notFoundByName('identity-provider', 'local')
    if (address !== null) {
      requireMailAddress(address)
      requireMail(services)
    }
    await requireOwnPassword(ctx, ctx.http, current_password)
    const own = await services.database.transaction(async (tx) => {
      const now = services.clock()
      const user = await readLive(tx, 'silo_user', actor.userId)
      if (address !== null) await countConfirmation(tx, user.id, now)
      await setAddress(writingIn(tx, now, actor, audit), user, address, true)
      return ownMail(tx, user.id)
    })
    services.reconciler.wake('user_link')
    return own
  },

  async user_link_view(ctx) {
    requireTurnOfLinks(ctx.services, ctx.http)
    const { row, user, siloName } = await requireLink(ctx.db, ctx.body.token, ctx.now)
    return {
      purpose: row.purpose,
      silo_name: siloName,
      user_name: user.external_id,
      mail_address: row.address,
      time_expires: row.time_expires,
    }
  },

  async user_link_use(ctx) {
    const { services, body, audit } = ctx
    const refund = requireTurnOfLinks(services, ctx.http)
    const { token, password } = body
    const { row, user } = await requireLink(ctx.db, token, ctx.now)
    const { id, display_name: name, silo_id: siloId } = user
    audit.note({ kind: 'silo_user', id, name, siloId, projectId: null })
    audit.siloId = siloId
    let password_hash: string | undefined
    if (row.purpose !== 'address') {
      if (password === undefined) throw fail.invalidRequest(userLinkMessages.noPassword)
      await requireGoodPassword(services, 'password', password, user.external_id)
      password_hash = await services.passwords.hash(password)
    }
    audit.author = { userId: id, displayName: name, siloId }
    await services.database.transaction(async (tx) => {
      const now = services.clock()
      // It may have been used, replaced or ended meanwhile.
      const link = await requireLink(tx, token, now)
      const work = writingIn(tx, now, audit.author, audit)
      await tx.deleteFrom('user_link').where('id', '=', link.row.id).execute()
      if (link.row.address !== null) await confirmAddress(work, id, link.row.address)
      const changes = password_hash
        ? { password_hash, password_generated: 0 as const, password_weak: 0 as const }
        : {}
      await updateUser(work, link.user, changes)
      // Somebody who knew the old password may have signed in with it.
      if (password_hash) await endSessions(work, { userId: id }, 'password')
    })
    refund()
  },

  async forgotten_password(ctx) {
    const { services, body, params, http } = ctx
    const { throttle, database, clock, reconciler } = services
    const { clientAddress } = http
    const { username } = body
    requireMail(services)
    requireTurnOfNetworks(
      throttle,
      'forgotten passwords of',
      clientAddress,
      FORGOTTEN_FREE_OF_ADDRESS,
      tooManyForgotten,
    )
    const of = `forgotten ${params.silo_name} ${username} from ${narrowestOf(clientAddress)}`
    requireTurn(throttle, of, FORGOTTEN_FREE_OF_USER, tooManyForgotten)
    const silo = await rowsOf(ctx.db, 'silo')
      .select(['its.id', 'its.identity_mode'])
      .where('its.name', '=', params.silo_name)
      .executeTakeFirst()
    if (!silo) throw fail.notFoundByName('silo', params.silo_name)
    if (silo.identity_mode !== 'local_only') throw fail.notFoundByName('identity-provider', 'local')
    const id = await digest(`${silo.id} ${username}`)
    await database.transaction(async (tx) => {
      if ((await countRows(tx.selectFrom('password_request'))) >= FORGOTTEN_WAITING_MAX) {
        throw fail.tooManyRequests(userLinkMessages.tooManyWaiting)
      }
      const time = clock().toISOString()
      const row = { id, silo_id: silo.id, user_name: username, time_created: time }
      await tx
        .insertInto('password_request')
        .values({ ...row, reconcile_at: time, ...unclaimed })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ reconcile_at: time }))
        .execute()
    })
    reconciler.wake('password_request')
  },
}
