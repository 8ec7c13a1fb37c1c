import { isUuid } from '@steading/api/rules'
import type { Selectable } from 'kysely'
import { authorize } from '../../kernel/authz/authorize.ts'
import type { Context } from '../../kernel/context.ts'
import type { ProjectTable } from '../../kernel/db/schema.ts'
import { fail } from '../../kernel/errors.ts'

export type ProjectRow = Selectable<ProjectTable>

/**
 * The project a caller names, checked against what the operation needs of projects.
 * @throws ApiError the project's 404 if it does not exist or may not be seen, 403
 */
export async function lookupProject(ctx: Context, selector: string): Promise<ProjectRow> {
  const byId = isUuid(selector)
  const missing = () =>
    byId ? fail.notFoundById('project', selector) : fail.notFoundByName('project', selector)
  const query = ctx.db.selectFrom('project').selectAll().where('time_deleted', 'is', null)
  const project = await (
    byId
      ? query.where('id', '=', selector.toLowerCase())
      : query.where('silo_id', '=', ctx.actor.siloId).where('name', '=', selector)
  ).executeTakeFirst()
  if (!project) throw missing()
  authorize(ctx, 'project', { siloId: project.silo_id, projectId: project.id }, missing)
  return project
}
