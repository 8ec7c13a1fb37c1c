import type { tables } from '@steading/api'
import { instanceRefusal, moveMessages } from '@steading/api/rules'
import type { Context, Handlers } from '../../../kernel/context.ts'
import { may } from '../../../kernel/authz/actor.ts'
import { authorize } from '../../../kernel/authz/authorize.ts'
import { requirePart } from '../../../kernel/engine-parts.ts'
import { ApiError, fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { pageByTime } from '../../../kernel/paging.ts'
import { destinationsOf } from '../instances/placement.ts'
import { beginMove, cancelMove } from './move.ts'
import { moves, toWireMove } from './wire.ts'

/**
 * An instance on a sled.
 * @throws ApiError 404 for the sled, or for an instance that is not on it
 */
async function instanceOn(
  ctx: Context<'instance_destination_list' | 'instance_move' | 'instance_move_cancel'>,
): Promise<Row<'instance'>> {
  const { sled_id, instance_id } = ctx.params
  const sled = await lookup(ctx, 'sled', sled_id)
  const row = await ctx.db
    .selectFrom('instance')
    .selectAll()
    .where('id', '=', instance_id)
    .where('sled_id', '=', sled.id)
    .executeTakeFirst()
  if (!row) throw fail.notFoundById('instance', instance_id)
  return row
}

export const moveHandlers: Handlers<typeof tables.moveOperations> = {
  async instance_destination_list(ctx) {
    requirePart(ctx.services.engine, 'migration')
    const row = await instanceOn(ctx)
    const sleds = await destinationsOf(ctx.db, row)
    return {
      items: sleds.map(({ id, name, freeThreads, freeRam, problem = null }) => ({
        id,
        serial: name,
        free_hardware_threads: freeThreads,
        free_physical_ram: freeRam,
        problem,
      })),
    }
  },

  async instance_move(ctx) {
    authorize(ctx, 'fleet', {})
    requirePart(ctx.services.engine, 'migration')
    const row = await instanceOn(ctx)
    const refusal = instanceRefusal('move', row.run_state, row.vm_id !== null)
    if (refusal) throw new ApiError(refusal)
    const { id: to } = await lookup(ctx, 'sled', ctx.body.sled_id)
    const id = await beginMove(ctx, row, {
      cause: 'requested',
      to,
      userName: ctx.actor.displayName,
    })
    if (id === undefined) throw fail.conflict(moveMessages.changed)
    ctx.afterCommit(async () => ctx.services.reconciler.wake('instance'))
    return toWireMove(await moves(ctx.db).where('its.id', '=', id).executeTakeFirstOrThrow())
  },

  async instance_move_cancel(ctx) {
    authorize(ctx, 'fleet', {})
    requirePart(ctx.services.engine, 'migration')
    const row = await instanceOn(ctx)
    const id = await cancelMove(ctx, row, ctx.actor.displayName)
    if (id === undefined) throw fail.conflict(moveMessages.ended)
    ctx.afterCommit(async () => ctx.services.reconciler.wake('instance'))
    return toWireMove(await moves(ctx.db).where('its.id', '=', id).executeTakeFirstOrThrow())
  },

  async instance_move_list(ctx) {
    const { id } = await lookup(ctx, 'sled', ctx.params.sled_id)
    const rows = moves(ctx.db).where((eb) =>
      eb.or([eb('its.from_sled_id', '=', id), eb('its.to_sled_id', '=', id)]),
    )
    const columns = { time: 'its.time_started', id: 'its.id' }
    return pageByTime(ctx.page, rows, columns, ({ time_started }) => time_started, toWireMove)
  },

  async instance_sled_view(ctx) {
    const { project = null } = ctx.query
    const { id, sled_id, migration_id } = await lookup(ctx, 'instance', ctx.params.instance, {
      project,
    })
    if (!may(ctx.actor, 'read', 'sled', {})) return { sled: null, move: null }
    const sled = await ctx.db
      .selectFrom('sled')
      .select(['id', 'name as serial'])
      .where('id', '=', sled_id)
      .executeTakeFirst()
    const move = await moves(ctx.db)
      .where('its.instance_id', '=', id)
      // A clock that was set back makes times misleading.
      .$if(migration_id !== null, (all) => all.where('its.id', '=', migration_id))
      .orderBy('its.time_started', 'desc')
      .orderBy('its.id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return {
      sled: sled ?? null,
      move: move ? toWireMove(move) : null,
    }
  },
}
