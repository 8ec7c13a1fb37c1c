import type { Context } from '../../kernel/context.ts'
import { fail } from '../../kernel/errors.ts'
import type { ImageRow } from './lookup.ts'

/**
 * Records a change of an image. One that moves between a project and the silo concerns the whole
 * silo.
 */
export const imageChanged = (
  ctx: Context,
  { id, name, silo_id }: ImageRow,
  action: 'create' | 'update' | 'delete',
  project_id: string | null,
): Promise<void> =>
  ctx.emit({ resource: 'images', action, resource_id: id, name, silo_id, project_id })

/**
 * Images of a silo and of each project have names of their own.
 * @throws ApiError 400 if there is one of this name
 */
export async function refuseTakenName(
  { db }: Context,
  siloId: string,
  projectId: string | null,
  name: string,
): Promise<void> {
  const live = db
    .selectFrom('image')
    .select('id')
    .where('name', '=', name)
    .where('time_deleted', 'is', null)
  const taken = await (
    projectId === null
      ? live.where('silo_id', '=', siloId).where('project_id', 'is', null)
      : live.where('project_id', '=', projectId)
  ).executeTakeFirst()
  if (taken) throw fail.alreadyExists(projectId === null ? 'silo-image' : 'project-image', name)
}
