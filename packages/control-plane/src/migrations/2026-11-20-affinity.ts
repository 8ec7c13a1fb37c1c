import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { identity, index, live, table } from './build.ts'

/**
 * Affinity and anti-affinity groups: one table for both, each with names of its own. And the list of
 * floating addresses by id.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await table(
    db,
    dialect,
    'affinity_group',
    {
      ...identity,
      time_deleted: 'text?',
      project_id: 'text',
      kind: 'text',
      policy: 'text',
      failure_domain: 'text',
    },
    ['id'],
  )
  const listed = ['project_id', 'kind']
  await index(db, 'affinity_group_name', 'affinity_group', [...listed, 'name'], {
    unique: true,
    where: live,
  })
  await index(db, 'affinity_group_id', 'affinity_group', [...listed, 'id'], { where: live })
  await table(db, dialect, 'affinity_group_member', { group_id: 'text', instance_id: 'text' }, [
    'group_id',
    'instance_id',
  ])
  await index(db, 'affinity_group_member_instance', 'affinity_group_member', ['instance_id'])
  await index(db, 'external_ip_id', 'external_ip', ['project_id', 'id'], {
    where: 'name is not null',
  })
}
