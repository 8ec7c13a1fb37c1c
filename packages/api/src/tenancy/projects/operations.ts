import { Deletion } from '../../workspace/deletion/schemas.ts'
import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId } from '../../schema.ts'
import { Project, ProjectCreate, ProjectResultsPage, ProjectUpdate } from './schemas.ts'
import { searched } from '../../searched.ts'

const tags = ['projects']
const params = { project: NameOrId }

const project_list = {
  method: 'GET',
  path: '/v1/projects',
  tags,
  summary: "List the projects of the caller's silo",
  permission: { silo: 'list' },
  ...paged('name_or_id'),
  success: { status: 200, schema: ProjectResultsPage },
} as const satisfies Operation

export const projectOperations = {
  project_list,
  project_search: searched({
    kind: 'Project',
    item: Project,
    plain: project_list,
    columns: ['name', 'natural_name', 'description', 'time_created'],
    filters: {},
  }),
  project_create: {
    method: 'POST',
    path: '/v1/projects',
    tags,
    summary: 'Create a project with its default VPC',
    permission: { silo: 'create' },
    body: ProjectCreate,
    success: { status: 201, schema: Project },
  },
  project_view: {
    method: 'GET',
    path: '/v1/projects/{project}',
    tags,
    summary: 'Show a project',
    permission: { project: 'read' },
    params,
    success: { status: 200, schema: Project },
  },
  project_update: {
    method: 'PUT',
    path: '/v1/projects/{project}',
    tags,
    summary: 'Rename or describe a project',
    permission: { project: 'modify' },
    params,
    body: ProjectUpdate,
    success: { status: 200, schema: Project },
  },
  project_delete: {
    method: 'DELETE',
    path: '/v1/projects/{project}',
    tags,
    summary: 'Delete an empty project',
    permission: { project: 'modify' },
    params,
    success: { status: 204 },
  },
  project_deletion: {
    method: 'GET',
    path: '/x/v1/projects/{project}/deletion',
    tags: ['extensions'],
    summary: 'Preview the deletion of a project',
    permission: { project: 'read' },
    params,
    success: { status: 200, schema: Deletion },
  },
} as const satisfies Record<string, Operation>
