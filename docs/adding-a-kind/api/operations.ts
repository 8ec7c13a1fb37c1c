import { usual } from '../../kinds/usual.ts'
import {
  identity,
  identityCreate,
  identityUpdate,
  named,
  oneOf,
  record,
  uuid,
} from '../../schema.ts'

const WidgetColor = named('WidgetColor', oneOf('red', 'green', 'blue'))

const Widget = record('Widget', { ...identity, project_id: uuid, color: WidgetColor })
const WidgetCreate = record('WidgetCreate', { ...identityCreate, color: WidgetColor })
const WidgetUpdate = record('WidgetUpdate', identityUpdate)

export const widgetOperations = usual('widget', { item: Widget })({
  widget_list: {},
  widget_search: { columns: ['color'], filters: { color: ['red', 'green', 'blue'] } },
  widget_create: { body: WidgetCreate },
  widget_view: {},
  widget_update: { summary: 'Rename a widget', body: WidgetUpdate },
  widget_delete: {},
})
