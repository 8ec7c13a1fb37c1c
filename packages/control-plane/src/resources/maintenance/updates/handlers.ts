import type { tables } from '@steading/api'
import { targetRefusal, updateMessages } from '@steading/api/rules'
import { enginePart } from '../../../kernel/engine-parts.ts'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail, refuseIf } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { type LookupContext, lookup } from '../../../kernel/lookup.ts'
import type { Work } from '../../../kernel/work.ts'
import { previewUpdate } from './preview.ts'
import { seenIn } from './rollout.ts'
import { targetOf, updateRow, readRollout, readStatus } from './status.ts'

type Targeting = LookupContext<'update_repository'> & Pick<Work, 'db' | 'now' | 'emit' | 'services'>

/**
 * The release with a version.
 * @throws ApiError 404 if there is none, 400 if its archive is gone
 */
async function findRelease(ctx: Targeting, version: string): Promise<Row<'update_repository'>> {
  try {
    return await lookup(ctx, 'update_repository', version)
  } catch (error) {
    const pruned = await ctx.db
      .selectFrom('update_repository')
      .select('id')
      .where('name', '=', version)
      .where('time_pruned', 'is not', null)
      .executeTakeFirst()
    if (!pruned) throw error
    throw fail.invalidRequest(updateMessages.pruned(pruned.id))
  }
}

/** Sets a release as the target, and starts the update to it. */
async function setTarget(
  { db, now, emit }: Targeting,
  row: Row<'system_update'>,
  { id, name }: Row<'update_repository'>,
): Promise<void> {
  const time = now.toISOString()
  await db
    .updateTable('system_update')
    .set({
      repository_id: id,
      version: name,
      time_requested: time,
      previous_repository_id:
        row.repository_id === id ? row.previous_repository_id : row.repository_id,
      state: 'in_progress',
      problem: null,
      time_problem: null,
      generation: row.generation + 1,
      reconcile_at: time,
    })
    .where('id', '=', row.id)
    .execute()
  await emit('system_update', 'update', { id: row.id, name })
}

export const updateHandlers: Handlers<typeof tables.updateOperations> = {
  async system_update_status(ctx) {
    authorize(ctx, 'fleet', {})
    return readStatus(ctx.db, ctx.now)
  },

  async target_release_view(ctx) {
    authorize(ctx, 'fleet', {})
    const release = targetOf(await updateRow(ctx.db))
    if (!release) throw fail.notFoundOther(updateMessages.noTarget)
    return release
  },

  async target_release_update(ctx) {
    authorize(ctx, 'fleet', {})
    const release = await findRelease(ctx, ctx.body.system_version)
    const row = await updateRow(ctx.db)
    refuseIf(
      targetRefusal(release.name, {
        current: row.version ?? undefined,
        updating: row.state === 'in_progress',
        recovered: seenIn(row).recovered.length > 0,
      }),
    )
    await setTarget(ctx, row, release)
    ctx.afterCommit(async () => ctx.services.reconciler.wake('system_update'))
  },

  async system_update_recovery_finish(ctx) {
    authorize(ctx, 'fleet', {})
    const release = await findRelease(ctx, ctx.body.system_version)
    const row = await updateRow(ctx.db)
    const seen = seenIn(row)
    if (seen.recovered.length === 0) throw fail.invalidRequest(updateMessages.noRecovery)
    await setTarget(ctx, row, release)
    ctx.afterCommit(async () => {
      await enginePart(ctx.services, 'updates').clearRecoveries()
      ctx.services.reconciler.wake('system_update')
    })
  },

  async update_rollout_view(ctx) {
    authorize(ctx, 'fleet', {})
    return readRollout(ctx.db)
  },

  async update_preview(ctx) {
    authorize(ctx, 'fleet', {})
    return previewUpdate(ctx.db, await lookup(ctx, 'update_repository', ctx.query.system_version))
  },
}
