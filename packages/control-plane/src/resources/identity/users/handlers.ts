import type { tables, Wire } from '@steading/api'
import { type KindName, kinds } from '@steading/api/rules'
import { sql } from 'kysely'
import { may } from '../../../kernel/authz/actor.ts'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { displayedPage } from '../../../kernel/display-names.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf, readLive } from '../../../kernel/kinds.ts'
import { type LookupContext, lookup } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { type Work, type Writing, writingIn } from '../../../kernel/work.ts'
import { each } from '../../../kernel/search/search.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { endCredentials } from '../auth/end-credentials.ts'
import { requireGoodPassword } from '../auth/new-password.ts'
import { groupsOf } from '../groups/members.ts'
import { toWireGroup } from '../groups/kind.ts'
import { matchesFactors } from '../second-factors/of-users.ts'
import { endSessions } from '../sessions/sessions.ts'
import { toWireSshKey } from '../ssh-keys/kind.ts'
import { createUser } from './create.ts'
import { deleteUser } from './delete.ts'
import { detailsOfUsers } from './details.ts'
import { lookupLocalSilo, lookupLocalUser } from './lookup-local.ts'
import { matchesStates } from './states.ts'
import { updateUser } from './update.ts'
import { visibleUsers } from './visible.ts'
import { toWireUser } from './kind.ts'

type Hashing = Pick<Work, 'services'>

/**
 * @param user name of the user who gets the password
 * @returns null for a user without a password to sign in
 * @throws ApiError 400 for a password that breaks the rules
 */
async function hashOf({ services }: Hashing, password: Wire.UserPassword, user: string) {
  if (password.mode !== 'password') return null
  await requireGoodPassword(services, 'password', password.value, user)
  return services.passwords.hash(password.value)
}

async function requireFreeUserName(db: Db, siloId: string, name: string): Promise<void> {
  const taken = await rowsOf(db, 'silo_user')
    .select('its.id')
    .where('its.silo_id', '=', siloId)
    .where('its.external_id', '=', name)
    .executeTakeFirst()
  if (taken) throw fail.alreadyExists(kinds.silo_user.type, name)
}

/**
 * Runs the rest of a call after hashing a password, in a transaction. It looks resources up again,
 * because they may have changed meanwhile.
 */
function afterHashing<K extends KindName, T>(
  ctx: LookupContext<K> & Pick<Work, 'services' | 'now' | 'audit'>,
  run: (work: Writing, context: LookupContext<K>) => Promise<T>,
): Promise<T> {
  const { services, now, actor, audit, requiredActions } = ctx
  return services.database.transaction((db) =>
    run(writingIn(db, now, actor, audit), { db, actor, audit, requiredActions }),
  )
}

const users = usualHandlers('silo_user', each(toWireUser), 'user_id')

export const userHandlers: Handlers<typeof tables.userOperations> = {
  user_view: users.view,
  silo_user_view: users.view,

  async current_user_view(ctx) {
    const { actor } = ctx
    const user = await readLive(ctx.db, 'silo_user', actor.userId)
    return {
      ...toWireUser(user),
      silo_name: actor.siloName,
      fleet_viewer: may(actor, 'read', 'fleet', {}),
      silo_admin: may(actor, 'modify', 'silo', { siloId: actor.siloId }),
    }
  },

  async current_user_groups(ctx) {
    const rows = groupsOf(ctx.db, ctx.actor.userId)
    return listPage(ctx.page, rows, { id: 'its.id' }, toWireGroup)
  },

  async user_list(ctx) {
    const { siloId } = ctx.actor
    authorize(ctx, 'silo_user', { siloId })
    let rows = visibleUsers(ctx.db, ctx.actor, siloId)
    if (ctx.query.group) {
      const group = await lookup(ctx, 'silo_group', ctx.query.group)
      rows = rows.where((eb) =>
        eb(
          'id',
          'in',
          eb.selectFrom('silo_group_membership').select('user_id').where('group_id', '=', group.id),
        ),
      )
    }
    return listPage(ctx.page, rows, { id: 'id' }, toWireUser)
  },

  async silo_user_list(ctx) {
    const { id: siloId } = await lookup(ctx, 'silo', ctx.query.silo!)
    authorize(ctx, 'silo_user', { siloId })
    const rows = visibleUsers(ctx.db, ctx.actor, siloId)
    return listPage(ctx.page, rows, { id: 'id' }, toWireUser)
  },

  async local_idp_user_create(ctx) {
    const { external_id, password } = ctx.body
    const { id: silo_id } = await lookupLocalSilo(ctx, ctx.query.silo)
    authorize(ctx, 'silo_user', { siloId: silo_id })
    // Refused before the expensive hashing; the index refuses concurrent duplicates.
    await requireFreeUserName(ctx.db, silo_id, external_id)
    const password_hash = await hashOf(ctx, password, external_id)
    const user = await afterHashing(ctx, async (work, context) => {
      await lookup(context, 'silo', silo_id)
      return createUser(work, { silo_id, external_id, password_hash })
    })
    return toWireUser(user)
  },

  async local_idp_user_delete(ctx) {
    await deleteUser(ctx, await lookupLocalUser(ctx, ctx.query.silo, ctx.params.user_id))
  },

  async local_idp_user_set_password(ctx) {
    const { id, external_id } = await lookupLocalUser(ctx, ctx.query.silo, ctx.params.user_id)
    const password_hash = await hashOf(ctx, ctx.body, external_id)
    await afterHashing(ctx, async (work, context) => {
      const user = await lookupLocalUser(context, ctx.query.silo, ctx.params.user_id)
      await updateUser(work, user, { password_hash, password_generated: 0, password_weak: 0 })
      // Somebody who knew the old password may have signed in with it.
      if (password_hash === null) await endCredentials(work, id, 'administrator')
      else await endSessions(work, { userId: id, but: ctx.http.credential?.id }, 'password')
    })
  },

  async user_details_list(ctx) {
    const { silo, group: groupId, search, second_factor, state } = ctx.query
    const inSilo = await lookup(ctx, 'silo', silo ?? ctx.actor.siloId)
    const siloId = inSilo.id
    authorize(ctx, 'silo_user', { siloId })
    const group = groupId && (await lookup(ctx, 'silo_group', groupId, { silo: siloId })).id
    let rows = rowsOf(ctx.db, 'silo_user')
      .where('its.silo_id', '=', siloId)
      .where('its.is_service', '=', 0)
    if (group) {
      rows = rows.where((eb) =>
        eb(
          'its.id',
          'in',
          eb.selectFrom('silo_group_membership').select('user_id').where('group_id', '=', group),
        ),
      )
    }
    // Users of identity providers have no factors here.
    if (second_factor) {
      rows = rows.where(
        inSilo.identity_mode === 'local_only' ? matchesFactors(second_factor) : sql<boolean>`1 = 0`,
      )
    }
    if (state) rows = rows.where(matchesStates(state, inSilo))
    return displayedPage(ctx.page, rows, search, (listed: Row<'silo_user'>[]) =>
      detailsOfUsers(ctx.db, inSilo, listed),
    )
  },

  async user_details_view(ctx) {
    const user = await users.find(ctx)
    const silo = await lookup(ctx, 'silo', user.silo_id)
    const [details] = await detailsOfUsers(ctx.db, silo, [user])
    return details!
  },

  async user_group_list(ctx) {
    const { id } = await users.find(ctx)
    return listPage(ctx.page, groupsOf(ctx.db, id), { id: 'its.id' }, toWireGroup)
  },

  async user_ssh_key_list(ctx) {
    const { id } = await users.find(ctx)
    const keys = rowsOf(ctx.db, 'ssh_key').selectAll().where('silo_user_id', '=', id)
    return listPage(ctx.page, keys, { name: 'name', id: 'id' }, toWireSshKey)
  },
}
