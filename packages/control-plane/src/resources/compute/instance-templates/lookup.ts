import { isUuid } from '@steading/api/rules'
import type { Row } from '../../../kernel/kinds.ts'
import { type LookupContext, lookup } from '../../../kernel/lookup.ts'
import { lookupInPlace } from '../../tenancy/projects/lookup-in-place.ts'

export type TemplateRow = Row<'instance_template'>

/** The kind of a template: one of a project, or one of the silo. */
export const templateKind = ({ project_id }: Pick<TemplateRow, 'project_id'>) =>
  project_id === null ? 'silo_instance_template' : 'instance_template'

/**
 * Finds a template by id, by name and project, or by name alone among those of the caller's silo.
 * @throws ApiError 400 for an id with a project, the 404 of the outermost missing resource, or 403
 */
export async function lookupTemplate(
  context: LookupContext<'instance_template' | 'silo_instance_template'>,
  selector: string,
  project?: string | null,
): Promise<TemplateRow> {
  if (project) return lookup(context, 'instance_template', selector, { project })
  if (!isUuid(selector)) return lookup(context, 'silo_instance_template', selector)
  return lookupInPlace(context, 'instance_template', templateKind, selector)
}
