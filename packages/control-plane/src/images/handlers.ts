import type { Wire } from '@steading/api'
import { authorize } from '../authz/authorize.ts'
import type { Handlers } from '../context.ts'
import { listPage } from '../http/paging.ts'
import { lookupProject } from '../projects/lookup.ts'
import { type ImageRow, lookupImage } from './lookup.ts'

const view = (row: ImageRow): Wire.Image => ({
  id: row.id,
  name: row.name,
  description: row.description,
  project_id: row.project_id,
  os: row.os,
  version: row.version,
  size: row.size,
  block_size: row.block_size,
  digest: null,
  time_created: row.time_created,
  time_modified: row.time_modified,
})

export const imageHandlers: Handlers<'image_list' | 'image_view'> = {
  async image_list(ctx) {
    const images = ctx.db.selectFrom('image').selectAll().where('time_deleted', 'is', null)
    let query
    if (ctx.query.project) {
      const project = await lookupProject(ctx, ctx.query.project)
      query = images.where('project_id', '=', project.id)
    } else {
      const { siloId } = ctx.actor
      authorize(ctx, 'silo_image', { siloId })
      query = images.where('silo_id', '=', siloId).where('project_id', 'is', null)
    }
    return listPage(ctx.page, query, { name: 'name', id: 'id' }, view)
  },

  async image_view(ctx) {
    return view(await lookupImage(ctx, ctx.params.image, ctx.query.project))
  },
}
