import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
import type { Generated } from 'kysely'
import type { Listed, SoftDeleted } from '../../../kernel/db/schema.ts'

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

export const projectTables: StoredTables = {
  project: {
    marked: true,
    within: { silo_id: 'silo' },
    names: { project_name: kinds.project.type },
  },
}
