import { isUuid, type ResourceKind } from '@steading/api/rules'
import type { Selectable } from 'kysely'
import { authorize } from '../authz/authorize.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/schema.ts'
import { lookupProject } from '../projects/lookup.ts'
import { fail } from './errors.ts'

type ProjectChild = 'instance' | 'disk' | 'snapshot' | 'vpc'

/** Texts about selectors, which differ a little from resource to resource (control plane 1.5). */
const selectorMessages: Record<ProjectChild, { both: string; neither: string }> = {
  instance: {
    both: 'when providing instance as an ID project should not be specified',
    neither: 'instance should either be UUID or project should be specified',
  },
  disk: {
    both: 'when providing disk as an ID project should not be specified',
    neither: 'disk should either be UUID or project should be specified',
  },
  snapshot: {
    both: 'when providing snapshot as an ID, project should not be specified',
    neither: 'snapshot should either be an ID or project should be specified',
  },
  vpc: {
    both: 'when providing vpc as an ID, project should not be specified',
    neither: 'vpc should either be an ID or project should be specified',
  },
}

/**
 * A thing that belongs to a project, named by id alone or by name and project; checked against
 * what the operation needs of its kind.
 * @throws ApiError 400 for a wrong combination, the 404 of the outermost missing thing, 403
 */
export async function lookupInProject<Kind extends ProjectChild>(
  ctx: Context,
  kind: Kind,
  selector: string,
  project: string | undefined | null,
): Promise<Selectable<Database[Kind]>> {
  const messages = selectorMessages[kind]
  const byId = isUuid(selector)
  if (byId && project) throw fail.invalidRequest(messages.both)
  if (!byId && !project) throw fail.invalidRequest(messages.neither)
  const missing = () =>
    byId ? fail.notFoundById(kind, selector) : fail.notFoundByName(kind, selector)

  // The four tables have these columns in common; the compiler cannot see that through a union.
  const query = ctx.db
    .selectFrom(kind as 'disk')
    .selectAll()
    .where('time_deleted', 'is', null)
  let row: Selectable<Database['disk']> | undefined
  if (byId) {
    row = await query.where('id', '=', selector.toLowerCase()).executeTakeFirst()
    if (!row) throw missing()
    const parent = await ctx.db
      .selectFrom('project')
      .select(['id', 'silo_id'])
      .where('id', '=', row.project_id)
      .executeTakeFirstOrThrow()
    authorize(ctx, kind as ResourceKind, { siloId: parent.silo_id, projectId: parent.id }, missing)
  } else {
    const parent = await lookupProject(ctx, project!)
    row = await query
      .where('project_id', '=', parent.id)
      .where('name', '=', selector)
      .executeTakeFirst()
    if (!row) throw missing()
    authorize(ctx, kind as ResourceKind, { siloId: parent.silo_id, projectId: parent.id }, missing)
  }
  return row as unknown as Selectable<Database[Kind]>
}
