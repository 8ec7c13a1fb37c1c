import { ListedKind } from '../find/schemas.ts'
import type { Operation } from '../../operation.ts'
import { NameOrId, uuid } from '../../schema.ts'
import { SavedView, SavedViewCreate, SavedViews, SavedViewUpdate } from './schemas.ts'

const tags = ['extensions']
const params = { view: uuid }

export const savedViewOperations = {
  view_list: {
    method: 'GET',
    path: '/x/v1/views',
    tags,
    summary: 'List the views of a list: those of the caller, and those shared in a project',
    permission: { project: 'read' },
    query: { list: ListedKind, project: NameOrId.optional() },
    success: { status: 200, schema: SavedViews },
  },
  view_create: {
    method: 'POST',
    path: '/x/v1/views',
    tags,
    summary: 'Save a view of a list, for the caller or shared in a project',
    permission: { project: 'create' },
    body: SavedViewCreate,
    success: { status: 201, schema: SavedView },
  },
  view_update: {
    method: 'PUT',
    path: '/x/v1/views/{view}',
    tags,
    summary: 'Change a view',
    permission: { project_view: 'modify' },
    params,
    body: SavedViewUpdate,
    success: { status: 200, schema: SavedView },
  },
  view_delete: {
    method: 'DELETE',
    path: '/x/v1/views/{view}',
    tags,
    summary: 'Delete a view',
    permission: { project_view: 'modify' },
    params,
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
