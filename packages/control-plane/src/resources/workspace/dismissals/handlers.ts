import type { tables } from '@steading/api'
import { DISMISSALS_MAX, FLEET_ID, kindTable } from '@steading/api/rules'
import { may } from '../../../kernel/authz/actor.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { requireReadable } from '../../../kernel/readable-resources.ts'
import type { Work } from '../../../kernel/work.ts'

/** Records a change of a user's dismissals, which only that user may see. */
const changed = ({ emit, actor }: Work, action: 'create' | 'delete', id: string) =>
  emit('dismissal', action, { id, name: '', silo_id: actor.siloId, user_id: actor.userId })

/** @throws if there is no such place, or the caller may not read it */
async function requirePlace(work: Pick<Work, 'db' | 'actor'>, id: string): Promise<void> {
  const { actor } = work
  if (id === actor.siloId) return
  if (id === FLEET_ID && may(actor, 'read', 'fleet', {})) return
  await requireReadable(work, 'project', id)
}

export const dismissalHandlers: Handlers<typeof tables.dismissalOperations> = {
  async dismissal_create(ctx) {
    const { db, actor } = ctx
    const { place } = ctx.body
    await requirePlace(ctx, place)
    // The newest first.
    const known = await rowsOf(db, 'dismissal')
      .selectAll()
      .where('its.user_id', '=', actor.userId)
      .orderBy('its.time_created', 'desc')
      .orderBy('its.id')
      .execute()
    const same = known.find(({ id }) => id === place)
    if (same) return { place, time_created: same.time_created }
    const oldest = known.slice(DISMISSALS_MAX - 1).map(({ id }) => id)
    if (oldest.length > 0) {
      await db
        .deleteFrom('dismissal')
        .where('user_id', '=', actor.userId)
        .where('id', 'in', oldest)
        .execute()
    }
    const time_created = ctx.now.toISOString()
    await db
      .insertInto('dismissal')
      .values({ id: place, user_id: actor.userId, time_created })
      .execute()
    await changed(ctx, 'create', place)
    return { place, time_created }
  },

  async dismissal_delete(ctx) {
    const { place } = ctx.params
    const { numDeletedRows } = await ctx.db
      .deleteFrom('dismissal')
      .where('user_id', '=', ctx.actor.userId)
      .where('id', '=', place)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw fail.notFoundById(kindTable.dismissal.type, place)
    await changed(ctx, 'delete', place)
  },
}
