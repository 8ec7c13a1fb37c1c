import type { tables } from '@steading/api'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { searchList } from '../../../kernel/list.ts'
import { ifNamed, lookup } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { createSnapshot, requireSnapshottable, SNAPSHOT_WAIT_MS } from './create.ts'
import { deleteSnapshot } from './delete.ts'
import { toWireSnapshot, toWireSnapshotDetails } from './wire.ts'
import { describeDeletion } from '../../workspace/deletion/describe.ts'

export const snapshotHandlers: Handlers<typeof tables.snapshotOperations> = {
  async snapshot_list(ctx) {
    const { id } = await lookup(ctx, 'project', ctx.query.project!)
    const rows = rowsOf(ctx.db, 'snapshot').selectAll().where('project_id', '=', id)
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWireSnapshot)
  },

  async snapshot_search(ctx) {
    const { id } = await lookup(ctx, 'project', ctx.query.project!)
    return searchList(ctx, 'snapshot', id)
  },

  async snapshot_view(ctx) {
    return toWireSnapshot(await lookup(ctx, 'snapshot', ctx.params.snapshot, ctx.query))
  },

  async snapshot_details_view(ctx) {
    return toWireSnapshotDetails(await lookup(ctx, 'snapshot', ctx.params.snapshot, ctx.query))
  },

  async snapshot_create(ctx) {
    const project = await lookup(ctx, 'project', ctx.query.project)
    const selector = ctx.body.disk
    const disk = await lookup(ctx, 'disk', selector, ifNamed(selector, { project: project.id }))
    if (disk.project_id !== project.id) {
      throw fail.invalidRequest("can't create a snapshot of a disk in a different project")
    }
    requireSnapshottable(disk)
    const { id } = await createSnapshot(ctx, project.silo_id, disk, ctx.body)
    const { reconciler, database } = ctx.services
    ctx.afterCommit(() => reconciler.settle('snapshot', id, SNAPSHOT_WAIT_MS))
    return async () =>
      toWireSnapshot(
        await rowsOf(database.db, 'snapshot')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirstOrThrow(),
      )
  },

  async snapshot_delete(ctx) {
    await deleteSnapshot(ctx, await lookup(ctx, 'snapshot', ctx.params.snapshot, ctx.query))
  },

  async snapshot_deletion(ctx) {
    const snapshot = await lookup(ctx, 'snapshot', ctx.params.snapshot, ctx.query)
    return describeDeletion(ctx, 'snapshot', snapshot)
  },
}
