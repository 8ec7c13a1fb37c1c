import type { tables } from '@steading/api'
import type { Handlers } from '../../../kernel/context.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { searchList } from '../../../kernel/list.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { createDisk } from './create.ts'
import { deleteDisk } from './delete.ts'
import { toWireDisk } from './wire.ts'
import { describeDeletion } from '../../workspace/deletion/describe.ts'

export const diskHandlers: Handlers<typeof tables.diskOperations> = {
  async disk_list(ctx) {
    const { id } = await lookup(ctx, 'project', ctx.query.project!)
    const rows = rowsOf(ctx.db, 'disk').selectAll().where('project_id', '=', id)
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWireDisk)
  },

  async disk_search(ctx) {
    const { id } = await lookup(ctx, 'project', ctx.query.project!)
    return searchList(ctx, 'disk', id)
  },

  async disk_create(ctx) {
    const project = await lookup(ctx, 'project', ctx.query.project)
    const { id } = await createDisk(ctx, project, ctx.body)
    const { reconciler, database } = ctx.services
    ctx.afterCommit(() => reconciler.settle('disk', id))
    return async () =>
      toWireDisk(
        await rowsOf(database.db, 'disk')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirstOrThrow(),
      )
  },

  async disk_view(ctx) {
    return toWireDisk(await lookup(ctx, 'disk', ctx.params.disk, ctx.query))
  },

  async disk_delete(ctx) {
    await deleteDisk(ctx, await lookup(ctx, 'disk', ctx.params.disk, ctx.query))
  },

  async disk_deletion(ctx) {
    const disk = await lookup(ctx, 'disk', ctx.params.disk, ctx.query)
    return describeDeletion(ctx, 'disk', disk)
  },
}
