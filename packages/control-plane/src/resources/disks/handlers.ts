import { diskCan } from '@steading/api/rules'
import type { Handlers } from '../../kernel/context.ts'
import { lookupChild } from '../../kernel/lookup.ts'
import { fail } from '../../kernel/errors.ts'
import { listPage } from '../../kernel/paging.ts'
import { lookupProject } from '../projects/lookup.ts'
import { changeDisk } from './change.ts'
import { createDisk, releaseStorage } from './create.ts'
import { viewDisk } from './view.ts'

type DiskOperation = 'disk_list' | 'disk_create' | 'disk_view' | 'disk_delete'

export const diskHandlers: Handlers<DiskOperation> = {
  async disk_list(ctx) {
    const project = await lookupProject(ctx, ctx.query.project!)
    const query = ctx.db
      .selectFrom('disk')
      .selectAll()
      .where('project_id', '=', project.id)
      .where('time_deleted', 'is', null)
    return listPage(ctx.page, query, { name: 'name', id: 'id' }, viewDisk)
  },

  async disk_create(ctx) {
    const project = await lookupProject(ctx, ctx.query.project)
    const disk = await createDisk(ctx, project, ctx.body)
    const { reconciler, database } = ctx.services
    ctx.afterCommit(() => reconciler.settle('disk', disk.id))
    return async () =>
      viewDisk(
        await database.db
          .selectFrom('disk')
          .selectAll()
          .where('id', '=', disk.id)
          .executeTakeFirstOrThrow(),
      )
  },

  async disk_view(ctx) {
    return viewDisk(await lookupChild(ctx, 'disk', ctx.params.disk, ctx.query))
  },

  async disk_delete(ctx) {
    const disk = await lookupChild(ctx, 'disk', ctx.params.disk, ctx.query)
    if (!diskCan('delete', disk.state)) {
      throw fail.invalidRequest(`disk cannot be deleted in state "${disk.state}"`)
    }
    const time = ctx.now.toISOString()
    const deleted = await changeDisk(
      ctx.db,
      disk,
      { state: 'destroyed', time_deleted: time, reconcile_at: time },
      ctx.now,
      'delete',
    )
    if (!deleted) throw fail.conflict('disk changed while it was being deleted; try again')
    await releaseStorage(ctx.db, ctx.actor.siloId, disk.size)
    ctx.afterCommit(async () => ctx.services.reconciler.wake())
  },
}
