import { Project, ProjectCreate, ProjectUpdate } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const projectOperations = usual('project', { item: Project })({
  list: { summary: "List the projects of the caller's silo", permission: { silo: 'list' } },
  search: {},
  create: {
    summary: 'Create a project with its default VPC',
    permission: { silo: 'create' },
    body: ProjectCreate,
  },
  view: {},
  update: { body: ProjectUpdate },
  delete: { summary: 'Delete an empty project' },
  deletion: {},
})
