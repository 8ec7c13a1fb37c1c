import type { Wire } from '@steading/api'
import { snapshotStateText } from '@steading/api/rules'
import { authorize } from '../../kernel/authz/authorize.ts'
import type { Context, Handlers } from '../../kernel/context.ts'
import { lookupChild } from '../../kernel/lookup.ts'
import { fail } from '../../kernel/errors.ts'
import { listPage } from '../../kernel/paging.ts'
import { lookupProject } from '../projects/lookup.ts'
import { imageChanged, refuseTakenName } from './change.ts'
import { type ImageRow, lookupImage } from './lookup.ts'
import { viewImage } from './view.ts'

/** Moves an image into a project, or with null to the whole silo. */
async function move(ctx: Context, image: ImageRow, project_id: string | null): Promise<Wire.Image> {
  await refuseTakenName(ctx, image.silo_id, project_id, image.name)
  const moved = { ...image, project_id, time_modified: ctx.now.toISOString() }
  await ctx.db.updateTable('image').set(moved).where('id', '=', image.id).execute()
  await imageChanged(ctx, moved, 'update', null)
  return viewImage(moved)
}

type ImageOperation =
  | 'image_list'
  | 'image_view'
  | 'image_create'
  | 'image_delete'
  | 'image_promote'
  | 'image_demote'

export const imageHandlers: Handlers<ImageOperation> = {
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
    return listPage(ctx.page, query, { name: 'name', id: 'id' }, viewImage)
  },

  async image_view(ctx) {
    return viewImage(await lookupImage(ctx, ctx.params.image, ctx.query.project))
  },

  async image_create(ctx) {
    const { siloId: silo_id } = ctx.actor
    const { name, description, os, version, source } = ctx.body
    const project = ctx.query.project ? await lookupProject(ctx, ctx.query.project) : undefined
    if (!project) authorize(ctx, 'silo_image', { siloId: silo_id })
    const snapshot = await lookupChild(ctx, 'snapshot', source.id, {})
    if (project && snapshot.project_id !== project.id) {
      throw fail.invalidRequest('snapshot does not belong to this project')
    }
    // One that is being taken will do: disks made of the image wait for it.
    if (snapshot.state !== 'ready' && snapshot.state !== 'creating') {
      const state = snapshotStateText(snapshot.state)
      throw fail.invalidRequest(`cannot create an image of a snapshot in state ${state}`)
    }
    const project_id = project?.id ?? null
    await refuseTakenName(ctx, silo_id, project_id, name)
    const time = ctx.now.toISOString()
    const image: ImageRow = {
      id: crypto.randomUUID(),
      name,
      description,
      time_created: time,
      time_modified: time,
      time_deleted: null,
      silo_id,
      project_id,
      os,
      version,
      size: snapshot.size,
      block_size: snapshot.block_size,
      snapshot_id: snapshot.id,
    }
    await ctx.db.insertInto('image').values(image).execute()
    await imageChanged(ctx, image, 'create', project_id)
    return viewImage(image)
  },

  async image_delete(ctx) {
    const image = await lookupImage(ctx, ctx.params.image, ctx.query.project)
    const time = ctx.now.toISOString()
    await ctx.db
      .updateTable('image')
      .set({ time_deleted: time })
      .where('id', '=', image.id)
      .execute()
    // Whoever deletes a snapshot leaves its bytes to its images; the last of them frees them.
    await ctx.db
      .updateTable('snapshot')
      .set({ reconcile_at: time })
      .where('id', '=', image.snapshot_id)
      .where('time_deleted', 'is not', null)
      .where('has_volume', '=', 1)
      .execute()
    await imageChanged(ctx, image, 'delete', image.project_id)
    ctx.afterCommit(async () => ctx.services.reconciler.wake())
  },

  async image_promote(ctx) {
    const image = await lookupImage(ctx, ctx.params.image, ctx.query.project)
    authorize(ctx, 'silo_image', { siloId: image.silo_id })
    if (image.project_id === null) throw fail.invalidRequest('Cannot promote a silo image')
    return move(ctx, image, null)
  },

  async image_demote(ctx) {
    const image = await lookupImage(ctx, ctx.params.image, undefined)
    const project = await lookupProject(ctx, ctx.query.project)
    if (image.project_id !== null) throw fail.invalidRequest('Cannot demote a project image')
    return move(ctx, image, project.id)
  },
}
