import { kinds, deletionSentences } from '@steading/api/rules'
import { type Generated, sql } from 'kysely'
import type { Wire } from '@steading/api'
import type { Listed, SoftDeleted } from '../../../kernel/db/schema.ts'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'
import { described, each, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { deleteProject } from './delete.ts'

export interface ProjectTable extends Listed, SoftDeleted {
  silo_id: string
  used_cpus: Generated<number>
  used_memory: Generated<number>
  used_storage: Generated<number>
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    project: ProjectTable
  }
}

export const toWireProject = (row: Row<'project'>): Wire.Project => ({
  ...identityOf(row),
})

export const project: StoredKind<'project'> = {
  tables: {
    project: {
      marked: true,
      within: { silo_id: 'silo' },
      names: { project_name: kinds.project.type },
    },
  },
  live: 'time_deleted is null',
  search: searchOf('project_search', {
    searched: described,
    sorts: usualSorts,
    filters: {},
    toWire: each(toWireProject),
  }),
  steps: {
    delete: stepOn('project', 'project_delete', deleteProject),
  },
  deletion: { columns: { project_id: 'id', silo_id: 'silo_id' } },
  relations: [
    {
      owner: 'project',
      kind: 'role',
      relation: 'goes',
      // By the names of the users and groups that have the roles.
      from: (projectId) => sql`(
        select role.identity_id as id, role.role_name,
          coalesce(silo_user.display_name, silo_group.display_name) as name
        from role_assignment as role
          left join silo_user
            on silo_user.id = role.identity_id and silo_user.time_deleted is null
          left join silo_group
            on silo_group.id = role.identity_id and silo_group.time_deleted is null
        where role.resource_type = 'project' and role.resource_id = ${projectId}
          and coalesce(silo_user.id, silo_group.id) is not null)`,
      pairs: sql`select identity_id as id, resource_id as owner_id from role_assignment
        where resource_type = 'project'`,
      reason: deletionSentences.role,
      detail: sql`its.role_name`,
    },
  ],
}
