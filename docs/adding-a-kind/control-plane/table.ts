import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import type { Listed, SoftDeleted } from '../../../kernel/db/schema.ts'

export interface WidgetTable extends Listed, SoftDeleted {
  project_id: string
  color: Wire.WidgetColor
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    widget: WidgetTable
  }
}

export const widgetTables: StoredTables = {
  widget: {
    marked: true,
    within: { project_id: 'project' },
    names: { widget_name: kinds.widget.type },
  },
}
