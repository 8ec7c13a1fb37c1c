import { diskCan, diskStateText, snapshotCanDelete, snapshotStateText } from '@steading/api/rules'
import { isUuid } from '@steading/api/rules'
import type { Handlers } from '../../kernel/context.ts'
import { releaseStorage } from '../disks/create.ts'
import { lookupChild } from '../../kernel/lookup.ts'
import { fail } from '../../kernel/errors.ts'
import { listPage } from '../../kernel/paging.ts'
import { lookupProject } from '../projects/lookup.ts'
import { snapshotChanged } from './change.ts'
import { createSnapshot, SNAPSHOT_WAIT_MS } from './create.ts'
import { viewSnapshot } from './view.ts'

type SnapshotOperation = 'snapshot_list' | 'snapshot_view' | 'snapshot_create' | 'snapshot_delete'

export const snapshotHandlers: Handlers<SnapshotOperation> = {
  async snapshot_list(ctx) {
    const project = await lookupProject(ctx, ctx.query.project!)
    const query = ctx.db
      .selectFrom('snapshot')
      .selectAll()
      .where('project_id', '=', project.id)
      .where('time_deleted', 'is', null)
    return listPage(ctx.page, query, { name: 'name', id: 'id' }, viewSnapshot)
  },

  async snapshot_view(ctx) {
    return viewSnapshot(await lookupChild(ctx, 'snapshot', ctx.params.snapshot, ctx.query))
  },

  async snapshot_create(ctx) {
    const project = await lookupProject(ctx, ctx.query.project)
    const { disk: selector } = ctx.body
    const parent = isUuid(selector) ? undefined : project.id
    const disk = await lookupChild(ctx, 'disk', selector, { project: parent })
    if (disk.project_id !== project.id) {
      throw fail.invalidRequest("can't create a snapshot of a disk in a different project")
    }
    if (disk.disk_type === 'local') {
      throw fail.invalidRequest("can't create a snapshot of a local storage disk")
    }
    if (disk.read_only === 1) {
      throw fail.invalidRequest("can't create a snapshot of a read-only disk")
    }
    if (!diskCan('snapshot', disk.state)) {
      const state = diskStateText(disk.state, disk.instance_id)
      throw fail.invalidRequest(`can't create a snapshot of a disk in state ${state}`)
    }
    const { id } = await createSnapshot(ctx, project.silo_id, disk, ctx.body)
    const { reconciler, database } = ctx.services
    ctx.afterCommit(() => reconciler.settle('snapshot', id, SNAPSHOT_WAIT_MS))
    return async () =>
      viewSnapshot(
        await database.db
          .selectFrom('snapshot')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirstOrThrow(),
      )
  },

  async snapshot_delete(ctx) {
    const snapshot = await lookupChild(ctx, 'snapshot', ctx.params.snapshot, ctx.query)
    if (!snapshotCanDelete(snapshot.state)) {
      const state = snapshotStateText(snapshot.state)
      throw fail.invalidRequest(`snapshot cannot be deleted in state ${state}`)
    }
    const time = ctx.now.toISOString()
    await ctx.db
      .updateTable('snapshot')
      .set({ state: 'destroyed', time_deleted: time, reconcile_at: time })
      .where('id', '=', snapshot.id)
      .execute()
    await snapshotChanged(ctx.db, snapshot, 'delete', ctx.now)
    await releaseStorage(ctx.db, ctx.actor.siloId, snapshot.size)
    ctx.afterCommit(async () => ctx.services.reconciler.wake())
  },
}
