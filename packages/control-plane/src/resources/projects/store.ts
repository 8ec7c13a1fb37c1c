import { projectContains, type ProjectContent, projectContents } from '@steading/api/rules'
import type { Db } from '../../kernel/db/database.ts'

export async function projectNameTaken(db: Db, siloId: string, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('project')
    .select('id')
    .where('silo_id', '=', siloId)
    .where('name', '=', name)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Rows of one kind that are in a project, live ones. */
export function contentsOf(db: Db, projectId: string, kind: ProjectContent) {
  const rows = (table: string) => db.selectFrom(table as 'disk').where('project_id', '=', projectId)
  switch (kind) {
    case 'floating_ip':
      // Only these have a name, and an index of them.
      return rows('external_ip').where('name', 'is not', null)
    case 'affinity_group':
    case 'anti_affinity_group':
      return rows('affinity_group')
        .where(
          'kind' as 'state',
          '=',
          (kind === 'affinity_group' ? 'affinity' : 'anti_affinity') as never,
        )
        .where('time_deleted', 'is', null)
    default:
      return rows(kind).where('time_deleted', 'is', null)
  }
}

/**
 * Why a project cannot be deleted: the first of what is in it, in the order of the contract; undefined
 * if it is empty.
 */
export async function projectCannotDelete(db: Db, projectId: string): Promise<string | undefined> {
  for (const kind of Object.keys(projectContents) as ProjectContent[]) {
    const row = await contentsOf(db, projectId, kind)
      .select('name')
      .orderBy('name')
      .limit(1)
      .executeTakeFirst()
    if (row) return projectContains(kind, row.name)
  }
  return undefined
}
