import type { ListDefinition } from '../data/lists.ts'

export const projectListDefinition: ListDefinition<'projectList'> = {
  id: 'projects',
  operation: 'projectList',
  searched: 'projectSearch',
}
