import type { tables, Wire } from '@steading/api'
import { imageMessages, snapshotStateText } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { searchList } from '../../../kernel/list.ts'
import { lookup, type LookupContext, lookupPermitted, notFound } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { moveAbout } from '../../../kernel/tags/place.ts'
import type { Writing } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { createImage, requireFree } from './create.ts'
import { deleteImage } from './delete.ts'
import { imageKind, lookupImage, mayUseSiloImages, placeOfImages } from './lookup.ts'
import { containerOf } from '../../tenancy/projects/placed.ts'
import { toWireImage } from './wire.ts'
import { describeDeletion } from '../../workspace/deletion/describe.ts'

/** Moves an image into a project, or with null to the silo; emits events in both places. */
async function move(
  work: Writing,
  image: Row<'image'>,
  project_id: string | null,
): Promise<Wire.Image> {
  const { db, now, emit } = work
  const moved = { ...image, project_id, time_modified: now.toISOString() }
  await requireFree(work, moved, image.name)
  await changeRow(db, 'image', image.id, moved)
  const parent_id = project_id ?? image.silo_id
  await moveAbout(db, image.id, {
    kind: imageKind(moved),
    parent_id,
    silo_id: image.silo_id,
    project_id,
  })
  for (const one of [image, moved]) await emit(imageKind(one), 'update', one)
  return toWireImage(moved)
}

/**
 * The project in the path of a call about the silo's images.
 * @throws ApiError 404; 403 if the caller may not use these images
 */
async function projectUsingSilo(
  ctx: LookupContext<'project'> & { params: { project: string } },
): Promise<Row<'project'>> {
  const project = await lookup(ctx, 'project', ctx.params.project)
  if (!(await mayUseSiloImages(ctx, project.silo_id))) {
    throw fail.forbidden(imageMessages.siloImagesRefused)
  }
  return project
}

export const imageHandlers: Handlers<typeof tables.imageOperations> = {
  async image_list(ctx) {
    const place = await placeOfImages(ctx, ctx.query.project)
    const column = place.project_id === null ? 'silo_id' : 'project_id'
    const rows = rowsOf(ctx.db, imageKind(place)).selectAll().where(column, '=', containerOf(place))
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWireImage)
  },

  async image_search(ctx) {
    const place = await placeOfImages(ctx, ctx.query.project)
    return searchList(ctx, imageKind(place), containerOf(place))
  },

  image_view: async (ctx) =>
    toWireImage(await lookupImage(ctx, ctx.params.image, ctx.query.project)),

  async project_silo_image_list(ctx) {
    const { silo_id } = await projectUsingSilo(ctx)
    const rows = rowsOf(ctx.db, 'silo_image').selectAll().where('silo_id', '=', silo_id)
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWireImage)
  },

  async project_silo_image_view(ctx) {
    await projectUsingSilo(ctx)
    const { image: selector } = ctx.params
    const image = await lookupPermitted(ctx, 'silo_image', selector)
    if (!image) throw notFound('silo_image', selector)
    return toWireImage(image)
  },

  async image_create(ctx) {
    const { name, description, os, version, source } = ctx.body
    const place = await placeOfImages(ctx, ctx.query.project)
    const snapshot = await lookup(ctx, 'snapshot', source.id)
    if (place.project_id !== null && snapshot.project_id !== place.project_id) {
      throw fail.invalidRequest('snapshot does not belong to this project')
    }
    // A snapshot in state `creating` is also allowed: disks made of the image wait for it.
    if (snapshot.state !== 'ready' && snapshot.state !== 'creating') {
      const state = snapshotStateText(snapshot.state)
      throw fail.invalidRequest(`cannot create an image of a snapshot in state ${state}`)
    }
    const image = await createImage(ctx, { name, description, os, version, ...place }, snapshot)
    return toWireImage(image)
  },

  async image_delete(ctx) {
    await deleteImage(ctx, await lookupImage(ctx, ctx.params.image, ctx.query.project))
  },

  async image_promote(ctx) {
    const image = await lookupImage(ctx, ctx.params.image, ctx.query.project)
    const { silo_id: siloId } = image
    authorize(ctx, 'silo_image', { siloId }, () => fail.notFoundById('silo', siloId))
    if (image.project_id === null) throw fail.invalidRequest('Cannot promote a silo image')
    return move(ctx, image, null)
  },

  async image_demote(ctx) {
    const image = await lookupImage(ctx, ctx.params.image)
    const project = await lookup(ctx, 'project', ctx.query.project)
    if (image.project_id !== null) throw fail.invalidRequest('Cannot demote a project image')
    return move(ctx, image, project.id)
  },

  async image_deletion(ctx) {
    const image = await lookupImage(ctx, ctx.params.image, ctx.query.project)
    return describeDeletion(ctx, 'image', image)
  },
}
