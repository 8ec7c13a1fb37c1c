import { described, each, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { step } from '../../../kernel/steps.ts'
import { deleteProject } from './delete.ts'
import { viewProject } from './view.ts'
import { kinds } from '@steading/api/rules'
import { storeTable } from '../../../kernel/db/tables.ts'
import type { ProjectTable } from './table.ts'
import { storeKind } from '../../../kernel/kinds.ts'
import './deletion.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    project: ProjectTable
  }
}

storeTable('project', {
  marked: true,
  within: { silo_id: 'silo' },
  names: { project_name: kinds.project.type },
})

storeKind('project', {
  table: 'project',
  live: 'time_deleted is null',
  search: searchOf('project_search', {
    searched: described,
    sorts: usualSorts,
    filters: {},
    views: each(viewProject),
  }),
  steps: {
    delete: step('project_delete', async (work, id) =>
      deleteProject(work, await lookup(work, 'project', id)),
    ),
  },
  deletion: { columns: { project_id: 'id', silo_id: 'silo_id' } },
})
