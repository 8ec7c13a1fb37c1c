import { described, each, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { step } from '../../../kernel/steps.ts'
import { deleteProject } from './delete.ts'
import { viewProject } from './view.ts'
import type { StoredKind } from '../../../kernel/kinds.ts'
import './deletion.ts'
import { projectTables } from './table.ts'

export const project: StoredKind<'project'> = {
  tables: projectTables,
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
}
