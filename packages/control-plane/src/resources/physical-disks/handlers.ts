import type { tables } from '@steading/api'
import { FLEET_ID } from '@steading/api/rules'
import { authorize } from '../../kernel/authz/authorize.ts'
import type { Handlers } from '../../kernel/context.ts'
import { rowsOf } from '../../kernel/kinds.ts'
import { searchList } from '../../kernel/list.ts'
import { lookup } from '../../kernel/lookup.ts'
import { listPage } from '../../kernel/paging.ts'
import { viewPhysicalDisk as view } from './view.ts'

export const physicalDiskHandlers: Handlers<typeof tables.physicalDiskOperations> = {
  async physical_disk_list(ctx) {
    authorize(ctx, 'physical_disk', {})
    return listPage(ctx.page, rowsOf(ctx.db, 'physical_disk').selectAll(), { id: 'id' }, view)
  },

  async physical_disk_search(ctx) {
    authorize(ctx, 'physical_disk', {})
    return searchList(ctx, 'physical_disk', FLEET_ID)
  },

  async physical_disk_view(ctx) {
    return view(await lookup(ctx, 'physical_disk', ctx.params.disk_id))
  },

  async sled_physical_disk_list(ctx) {
    const sled = await lookup(ctx, 'sled', ctx.params.sled_id)
    const rows = rowsOf(ctx.db, 'physical_disk').selectAll().where('sled_id', '=', sled.id)
    return listPage(ctx.page, rows, { id: 'id' }, view)
  },
}
