import type { ListDefinition } from '../../data/lists.ts'

export const projectListDefinition: ListDefinition<'projectList'> = {
  kind: 'project',
  id: 'projects',
  operation: 'projectList',
}
