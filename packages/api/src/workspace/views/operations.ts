import { ListedKind } from '../find/schemas.ts'
import { NameOrId, uuid } from '../../schema.ts'
import { SavedView, SavedViewCreate, SavedViews, SavedViewUpdate } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const savedViewOperations = usual('saved_view', {
  item: SavedView,
  id: 'view',
  path: '/x/v1/views/{view}',
  params: { view: uuid },
})({
  view_list: {
    summary: 'List the views of a list: those of the caller, and those shared in a project',
    permission: { project: 'read' },
    query: { list: ListedKind, project: NameOrId.optional() },
    answer: SavedViews,
  },
  view_create: {
    summary: 'Save a view of a list, for the caller or shared in a project',
    permission: { project: 'create' },
    body: SavedViewCreate,
  },
  view_update: {
    summary: 'Change a view',
    permission: { project_view: 'modify' },
    body: SavedViewUpdate,
  },
  view_delete: { permission: { project_view: 'modify' } },
})
