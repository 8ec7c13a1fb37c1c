import type { Wire } from '@steading/api'
import type { Selectable } from 'kysely'
import type { Handlers } from '../context.ts'
import type { SnapshotTable } from '../db/schema.ts'
import { lookupChild } from '../http/child.ts'
import { listPage } from '../http/paging.ts'
import { lookupProject } from '../projects/lookup.ts'

const view = (row: Selectable<SnapshotTable>): Wire.Snapshot => ({
  id: row.id,
  name: row.name,
  description: row.description,
  project_id: row.project_id,
  disk_id: row.disk_id,
  size: row.size,
  state: row.state,
  time_created: row.time_created,
  time_modified: row.time_modified,
})

export const snapshotHandlers: Handlers<'snapshot_list' | 'snapshot_view'> = {
  async snapshot_list(ctx) {
    const project = await lookupProject(ctx, ctx.query.project!)
    const query = ctx.db
      .selectFrom('snapshot')
      .selectAll()
      .where('project_id', '=', project.id)
      .where('time_deleted', 'is', null)
    return listPage(ctx.page, query, { name: 'name', id: 'id' }, view)
  },

  async snapshot_view(ctx) {
    return view(await lookupChild(ctx, 'snapshot', ctx.params.snapshot, ctx.query))
  },
}
