import { usual } from '../../kinds/usual.ts'
import { Widget, WidgetCreate, WidgetUpdate } from './schemas.ts'

export const widgetOperations = usual('widget', { item: Widget })({
  widget_list: {},
  widget_search: { columns: ['color'], filters: { color: ['red', 'green', 'blue'] } },
  widget_create: { body: WidgetCreate },
  widget_view: {},
  widget_update: { summary: 'Rename a widget', body: WidgetUpdate },
  widget_delete: {},
})
