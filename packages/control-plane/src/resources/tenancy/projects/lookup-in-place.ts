/** Kinds of which some resources are in a project, and others directly in a silo. */
import type { Row, StoredName } from '../../../kernel/kinds.ts'
import { lookup, type LookupContext } from '../../../kernel/lookup.ts'

/**
 * Finds a resource by its id whose kind depends on its place: a project, or a silo.
 * @param table the table of both kinds
 * @throws ApiError 404 or 403
 */
export async function lookupInPlace<K extends StoredName>(
  context: LookupContext<K>,
  table: 'instance_template' | 'service_account',
  kindIn: (place: { project_id: string | null }) => K,
  id: string,
): Promise<Row<K>> {
  const found = await context.db
    .selectFrom(table)
    .select('project_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return lookup(context, kindIn(found ?? { project_id: '' }), id)
}
