import { usual } from '../../kinds/usual.ts'
import { Widget, WidgetCreate, WidgetUpdate } from './schemas.ts'

export const widgetOperations = usual('widget', { item: Widget })({
  list: {},
  search: { columns: ['color'], filters: { color: ['red', 'green', 'blue'] } },
  create: { body: WidgetCreate },
  view: {},
  update: { summary: 'Rename a widget', body: WidgetUpdate },
  delete: {},
})
