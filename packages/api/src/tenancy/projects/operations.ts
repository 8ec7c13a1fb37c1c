import { identity, identityCreate, identityUpdate, record } from '../../schema.ts'
import { usual } from '../../kinds/usual.ts'

const Project = record('Project', identity)
const ProjectCreate = record('ProjectCreate', identityCreate)
const ProjectUpdate = record('ProjectUpdate', identityUpdate)

export const projectOperations = usual('project', { item: Project })({
  project_list: { summary: "List the projects of the caller's silo", permission: { silo: 'list' } },
  project_search: { permission: { silo: 'list' } },
  project_create: {
    summary: 'Create a project with its default VPC',
    permission: { silo: 'create' },
    body: ProjectCreate,
    changes: ['vpc', 'vpc_subnet'],
  },
  project_view: {},
  project_update: { body: ProjectUpdate },
  project_delete: { summary: 'Delete an empty project' },
  project_deletion: {},
})
