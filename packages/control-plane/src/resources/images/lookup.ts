import { isUuid } from '@steading/api/rules'
import type { Selectable } from 'kysely'
import { authorize } from '../../kernel/authz/authorize.ts'
import type { Context } from '../../kernel/context.ts'
import type { ImageTable } from '../../kernel/db/schema.ts'
import { fail } from '../../kernel/errors.ts'
import { lookupProject } from '../projects/lookup.ts'

export type ImageRow = Selectable<ImageTable>

/**
 * An image by id, by name and project, or by name alone: then it is one of the caller's silo.
 * Checked against what the operation needs of images of its kind.
 * @throws ApiError 400 for an id with a project, the 404 of the outermost missing thing, 403
 */
export async function lookupImage(
  ctx: Context,
  selector: string,
  project: string | undefined | null,
): Promise<ImageRow> {
  const byId = isUuid(selector)
  if (byId && project) {
    throw fail.invalidRequest('when providing image as an ID, project should not be specified')
  }
  const missing = () =>
    byId
      ? fail.notFoundById('image', selector)
      : fail.notFoundByName(project ? 'project-image' : 'silo-image', selector)
  const live = ctx.db.selectFrom('image').selectAll().where('time_deleted', 'is', null)
  let query
  if (byId) {
    query = live.where('id', '=', selector.toLowerCase())
  } else if (project) {
    const { id } = await lookupProject(ctx, project)
    query = live.where('project_id', '=', id).where('name', '=', selector)
  } else {
    query = live
      .where('silo_id', '=', ctx.actor.siloId)
      .where('project_id', 'is', null)
      .where('name', '=', selector)
  }
  const image = await query.executeTakeFirst()
  if (!image) throw missing()
  const { silo_id: siloId, project_id } = image
  if (project_id) authorize(ctx, 'image', { siloId, projectId: project_id }, missing)
  else authorize(ctx, 'silo_image', { siloId }, missing)
  return image
}
