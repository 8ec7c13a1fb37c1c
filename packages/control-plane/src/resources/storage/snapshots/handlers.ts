import type { tables } from '@steading/api'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { ifNamed, lookup } from '../../../kernel/lookup.ts'
import { each } from '../../../kernel/search/search.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { createSnapshot, requireSnapshottable, SNAPSHOT_WAIT_MS } from './create.ts'
import { deleteSnapshot } from './delete.ts'
import { toWireSnapshot, toWireSnapshotDetails } from './kind.ts'

const snapshots = usualHandlers('snapshot', each(toWireSnapshot))

export const snapshotHandlers: Handlers<typeof tables.snapshotOperations> = {
  snapshot_list: snapshots.list,
  snapshot_search: snapshots.search,
  snapshot_view: snapshots.view,
  snapshot_delete: snapshots.delete(deleteSnapshot),
  snapshot_deletion: snapshots.deletion,
  snapshot_details_view: async (ctx) => toWireSnapshotDetails(await snapshots.find(ctx)),

  async snapshot_create(ctx) {
    const project = await snapshots.container(ctx)
    const selector = ctx.body.disk
    const disk = await lookup(ctx, 'disk', selector, ifNamed(selector, { project: project.id }))
    if (disk.project_id !== project.id) {
      throw fail.invalidRequest("can't create a snapshot of a disk in a different project")
    }
    requireSnapshottable(disk)
    const { id } = await createSnapshot(ctx, project.silo_id, disk, ctx.body)
    return snapshots.settled(ctx, id, SNAPSHOT_WAIT_MS)
  },
}
