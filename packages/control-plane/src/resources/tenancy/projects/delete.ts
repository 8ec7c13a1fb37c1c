import { DELETION_RACED, projectContains, projectContents } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { anyRowsOf, type Row } from '../../../kernel/kinds.ts'
import type { Work, Writing } from '../../../kernel/work.ts'
import { deleteTemplatesOf } from '../../compute/instance-templates/kind.ts'
import { deleteSchedulesOf } from '../../compute/schedules/kind.ts'
import { deleteRulesOf } from '../../observability/alert-rules/delete.ts'
import { deleteServiceAccountsOf } from '../../identity/service-accounts/change.ts'
import { releaseAllOf } from '../../workspace/deleted-resources/release.ts'
import { takeRoles } from '../../identity/policies/assignments.ts'

/**
 * The reason why a project cannot be deleted: the first kind of resource in it, in the order of the
 * contract; undefined if it is empty.
 */
async function refusal(db: Db, projectId: string): Promise<string | undefined> {
  for (const kind of projectContents) {
    const row = await anyRowsOf(db, kind)
      .select('its.name')
      .where('its.project_id', '=', projectId)
      .orderBy('its.name')
      .limit(1)
      .executeTakeFirst()
    if (row) return projectContains(kind, row.name)
  }
  return undefined
}

/** @throws ApiError 400 if it is not empty, or was deleted at the same time */
export async function deleteProject(
  writing: Writing & Pick<Work, 'afterCommit' | 'services'>,
  project: Row<'project'>,
): Promise<void> {
  const { db, now, emit, afterCommit, services } = writing
  const reason = await refusal(db, project.id)
  if (reason) throw fail.invalidRequest(reason)
  await deleteRulesOf(writing, project.id)
  await deleteSchedulesOf(writing, project.id)
  await deleteTemplatesOf(writing, project.id)
  await deleteServiceAccountsOf(writing, project.id)
  await releaseAllOf(db, project.id, now)
  afterCommit(async () => services.reconciler.wake('deleted_resource'))
  const deleted = await db
    .updateTable('project')
    .set({ time_deleted: now.toISOString() })
    .where('id', '=', project.id)
    .where('time_deleted', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!deleted) throw fail.invalidRequest(DELETION_RACED)
  await takeRoles(db, { resource_type: 'project', resource_id: project.id })
  await emit('project', 'delete', { ...project, project_id: project.id })
}
