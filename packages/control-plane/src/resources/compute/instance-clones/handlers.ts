import type { tables, Wire } from '@steading/api'
import { may } from '../../../kernel/authz/actor.ts'
import type { Context, Handlers } from '../../../kernel/context.ts'
import { findLive, readLive } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { pick } from '../../../kernel/pick.ts'
import { toWireInstance } from '../instances/wire.ts'
import { cloneInstance } from './clone.ts'
import { type CloneRow, temporarySnapshots } from './reconcile.ts'

const lookupInstance = (ctx: Context<'instance_clone' | 'instance_clone_view'>) =>
  lookup(ctx, 'instance', ctx.params.instance, { project: ctx.query.project })

/** The source as far as the caller may know it. */
async function sourceOf({ db, actor }: Context<'instance_clone_view'>, row: CloneRow) {
  const scope = { siloId: actor.siloId, projectId: row.source_project_id }
  if (!may(actor, 'read', 'instance', scope)) {
    return { source_id: null, source_name: null, source_project_name: null }
  }
  const source = await findLive(db, 'instance', row.source_id, 'name')
  const project = await findLive(db, 'project', row.source_project_id, 'name')
  const isElsewhere = row.source_project_id !== row.project_id
  return {
    source_id: source ? row.source_id : null,
    source_name: source?.name ?? row.source_name,
    source_project_name: isElsewhere ? (project?.name ?? null) : null,
  }
}

async function toWireClone(
  ctx: Context<'instance_clone_view'>,
  row: CloneRow,
): Promise<Wire.InstanceClone> {
  const { db } = ctx
  const disks = await db
    .selectFrom('instance_clone_disk as its')
    .innerJoin('disk', 'disk.id', 'its.disk_id')
    .select('disk.state')
    .where('its.clone_id', '=', row.id)
    .execute()
  const snapshots = await temporarySnapshots(db, row.id).execute()
  return {
    ...(await sourceOf(ctx, row)),
    ...pick(row, 'state', 'reason', 'user_name', 'time_started', 'time_finished'),
    disks: disks.length,
    disks_made: disks.filter(({ state }) => state !== 'creating').length,
    snapshots_left: snapshots.length,
  }
}

export const instanceCloneHandlers: Handlers<typeof tables.instanceCloneOperations> = {
  async instance_clone(ctx) {
    const source = await lookupInstance(ctx)
    const target = await lookup(ctx, 'project', ctx.body.project ?? source.project_id)
    const { id } = await cloneInstance(ctx, source, target)
    const { reconciler, settings, database } = ctx.services
    ctx.afterCommit(async () => reconciler.wake())
    return async () =>
      toWireInstance(await readLive(database.db, 'instance', id), settings.autoRestartCooldownMs)
  },

  async instance_clone_view(ctx) {
    const { id } = await lookupInstance(ctx)
    const row = await ctx.db
      .selectFrom('instance_clone')
      .selectAll()
      .where('instance_id', '=', id)
      .executeTakeFirst()
    return { clone: row ? await toWireClone(ctx, row) : null }
  },
}
