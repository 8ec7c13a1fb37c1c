import { isUuid } from '@steading/api/rules'
import { may } from '../../../kernel/authz/actor.ts'
import { readRow } from '../../../kernel/db/rows.ts'
import { fail } from '../../../kernel/errors.ts'
import { rowsOf, type Row } from '../../../kernel/kinds.ts'
import { lookupPermitted, type LookupContext } from '../../../kernel/lookup.ts'
import { placedKinds } from '../../tenancy/projects/placed.ts'

export type ImageRow = Row<'image'>

export const {
  kindOf: imageKind,
  find: lookupImage,
  placeOf: placeOfImages,
} = placedKinds('image', 'silo_image')

type ImageContext = LookupContext<'image' | 'silo_image'>
type Project = Pick<Row<'project'>, 'id' | 'silo_id'>

/**
 * Whether the caller may use the silo's images in its projects: by a role on the silo, or because
 * the image policy of the silo lets members of projects do so.
 */
export async function mayUseSiloImages(
  { db, actor }: Pick<ImageContext, 'db' | 'actor'>,
  siloId: string,
): Promise<boolean> {
  if (may(actor, 'read', 'silo_image', { siloId })) return true
  const silo = await readRow(db, 'silo', siloId, 'members_use_silo_images')
  return silo.members_use_silo_images === 1
}

/**
 * The image that something in a project is made of: an image of the project, or of the silo. Every
 * path that takes an image as a source finds it here. The caller was authorized for the project.
 * @param selector an id; or a name, of the silo if the project has no such image
 * @throws ApiError 404 or 403 for an image that the caller may not use; 400 for one of another
 *   project
 */
export async function lookupSource(
  context: ImageContext,
  project: Project,
  selector: string,
): Promise<ImageRow> {
  const own = isUuid(selector)
    ? undefined
    : await rowsOf(context.db, 'image')
        .select('its.id')
        .where('its.project_id', '=', project.id)
        .where('its.name', '=', selector)
        .executeTakeFirst()
  if (!own && (await mayUseSiloImages(context, project.silo_id))) {
    const shared = await lookupPermitted(context, 'silo_image', selector)
    if (shared) return shared
  }
  const image = await lookupImage(context, own?.id ?? selector)
  if (image.project_id !== null && image.project_id !== project.id) {
    throw fail.invalidRequest('image does not belong to this project')
  }
  return image
}
