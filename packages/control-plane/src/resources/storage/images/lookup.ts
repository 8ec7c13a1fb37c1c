import { isUuid } from '@steading/api/rules'
import type { Row } from '../../../kernel/kinds.ts'
import { type LookupContext, lookup } from '../../../kernel/lookup.ts'

export type ImageRow = Row<'image'>

/**
 * Finds an image by id, by name and project, or by name alone among the images of the caller's
 * silo.
 * @throws ApiError 400 for an id with a project, the 404 of the outermost missing resource, or 403
 */
export async function lookupImage(
  context: LookupContext<'image' | 'silo_image'>,
  selector: string,
  project?: string | null,
): Promise<ImageRow> {
  if (project) return lookup(context, 'image', selector, { project })
  if (!isUuid(selector)) return lookup(context, 'silo_image', selector)
  const place = await context.db
    .selectFrom('image')
    .select('project_id')
    .where('id', '=', selector)
    .executeTakeFirst()
  return lookup(context, place?.project_id === null ? 'silo_image' : 'image', selector)
}
