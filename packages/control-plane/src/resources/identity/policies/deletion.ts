import { deletionSentences } from '@steading/api/rules'
import { sql } from 'kysely'
import { groupOf } from '../../workspace/deletion/groups.ts'
import { tell } from '../../workspace/deletion/relations.ts'
import type { Its } from '../../workspace/deletion/things.ts'

// Roles in a project, by the names of the users and groups that have them.
tell('project', ({ db }, project) => {
  const named = (table: 'silo_user' | 'silo_group') =>
    db
      .selectFrom('role_assignment as role')
      .innerJoin(`${table as 'silo_user'} as holder`, 'holder.id', 'role.identity_id')
      .select(['holder.id', 'holder.display_name as name', 'role.role_name'])
      .where('role.resource_type', '=', 'project')
      .where('role.resource_id', '=', project.id)
      .where('holder.time_deleted', 'is', null)
  return groupOf({
    relation: 'goes',
    kind: 'role',
    rows: db.selectFrom(
      named('silo_user').unionAll(named('silo_group')).as('its'),
    ) as unknown as Its,
    reason: deletionSentences.role,
    detail: sql`its.role_name`,
  })
})
