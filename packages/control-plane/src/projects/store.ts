import type { Db } from '../db/database.ts'

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

/** What keeps a project from being deleted, in the order in which it is reported. */
async function firstContained(
  db: Db,
  projectId: string,
): Promise<{ kind: string; name: string } | undefined> {
  const first = async (kind: string, table: 'instance' | 'disk' | 'image' | 'snapshot' | 'vpc') => {
    const row = await db
      .selectFrom(table as 'disk')
      .select('name')
      .where('project_id', '=', projectId)
      .where('time_deleted', 'is', null)
      .orderBy('name')
      .limit(1)
      .executeTakeFirst()
    return row && { kind, name: row.name }
  }
  const floatingIp = async () => {
    const row = await db
      .selectFrom('external_ip')
      .select('name')
      .where('project_id', '=', projectId)
      .where('kind', '=', 'floating')
      .orderBy('name')
      .limit(1)
      .executeTakeFirst()
    return row && { kind: 'floating ip', name: row.name! }
  }
  const group = async (kind: string, stored: 'affinity' | 'anti_affinity') => {
    const row = await db
      .selectFrom('affinity_group')
      .select('name')
      .where('project_id', '=', projectId)
      .where('kind', '=', stored)
      .where('time_deleted', 'is', null)
      .orderBy('name')
      .limit(1)
      .executeTakeFirst()
    return row && { kind, name: row.name }
  }
  return (
    (await first('instance', 'instance')) ??
    (await first('disk', 'disk')) ??
    (await floatingIp()) ??
    (await first('project image', 'image')) ??
    (await first('snapshot', 'snapshot')) ??
    (await first('vpc', 'vpc')) ??
    (await group('affinity group', 'affinity')) ??
    (await group('anti affinity group', 'anti_affinity'))
  )
}

/** Why a project cannot be deleted; undefined if it is empty. */
export async function projectCannotDelete(db: Db, projectId: string): Promise<string | undefined> {
  const contained = await firstContained(db, projectId)
  if (!contained) return undefined
  const article = /^[aeiou]/.test(contained.kind) ? 'an' : 'a'
  return `project to be deleted contains ${article} ${contained.kind}: ${contained.name}`
}
