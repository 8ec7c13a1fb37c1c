import { sql } from 'kysely'
import { deletionSentences } from '@steading/api/rules'
import { step } from '../../../kernel/job-steps.ts'
import type { StoredKind } from '../../../kernel/kinds.ts'
import { described, each, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { deleteTemplate } from './delete.ts'
import { lookupTemplate } from './lookup.ts'
import { instanceTemplateTables } from './table.ts'
import { toWireTemplate } from './wire.ts'

declare module '../../../kernel/kinds.ts' {
  interface SharedTables {
    silo_instance_template: 'instance_template'
  }
}

/** The search of templates of a project, and of those of a silo. */
const search = searchOf('instance_template_search', {
  searched: described,
  sorts: usualSorts,
  filters: {},
  toWire: each(toWireTemplate),
})

const steps = {
  delete: step('instance_template_delete', async (work, id) =>
    deleteTemplate(work, await lookupTemplate(work, id)),
  ),
}

export const instance_template: StoredKind<'instance_template'> = {
  tables: instanceTemplateTables,
  live: 'project_id is not null',
  search,
  steps,
  deletion: { columns: { project_id: 'project_id' } },
  relations: [
    {
      owner: 'project',
      relation: 'goes',
      pairs: sql`select id, project_id as owner_id from instance_template
        where project_id is not null`,
      reason: deletionSentences.partOfProject,
    },
  ],
}

export const silo_instance_template: StoredKind<'silo_instance_template'> = {
  table: 'instance_template',
  live: 'project_id is null',
  search,
  steps,
  deletion: { columns: { silo_id: 'silo_id' } },
}
