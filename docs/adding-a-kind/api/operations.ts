import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId } from '../../schema.ts'
import { searched } from '../../searched.ts'
import { Widget, WidgetCreate, WidgetResultsPage, WidgetUpdate } from './schemas.ts'

const tags = ['widgets']
const params = { widget: NameOrId }
const query = { project: NameOrId.optional() }

const widget_list = {
  method: 'GET',
  path: '/v1/widgets',
  tags,
  summary: 'List the widgets of a project',
  permission: { project: 'list' },
  ...paged('name_or_id', query, ['project']),
  success: { status: 200, schema: WidgetResultsPage },
} as const satisfies Operation

export const widgetOperations = {
  widget_list,
  widget_search: searched({
    kind: 'Widget',
    item: Widget,
    plain: widget_list,
    columns: ['name', 'natural_name', 'description', 'color', 'time_created'],
    filters: { color: ['red', 'green', 'blue'] },
    selectors: query,
  }),
  widget_create: {
    method: 'POST',
    path: '/v1/widgets',
    tags,
    summary: 'Create a widget',
    permission: { project: 'create' },
    query: { project: NameOrId },
    body: WidgetCreate,
    success: { status: 201, schema: Widget },
  },
  widget_view: {
    method: 'GET',
    path: '/v1/widgets/{widget}',
    tags,
    summary: 'Show a widget',
    permission: { widget: 'read' },
    params,
    query,
    success: { status: 200, schema: Widget },
  },
  widget_update: {
    method: 'PUT',
    path: '/v1/widgets/{widget}',
    tags,
    summary: 'Rename a widget',
    permission: { widget: 'modify' },
    params,
    query,
    body: WidgetUpdate,
    success: { status: 200, schema: Widget },
  },
  widget_delete: {
    method: 'DELETE',
    path: '/v1/widgets/{widget}',
    tags,
    summary: 'Delete a widget',
    permission: { widget: 'modify' },
    params,
    query,
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
