import { kinds } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import type { Listed, SoftDeleted } from '../../../kernel/db/schema.ts'
import { identityOf } from '../../../kernel/identity.ts'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { deleteRow } from '../../../kernel/named-rows.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import { described, each, searchOf, text, usualSorts } from '../../../kernel/search/search.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import type { Writing } from '../../../kernel/work.ts'

export interface WidgetTable extends Listed, SoftDeleted {
  project_id: string
  color: Wire.WidgetColor
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    widget: WidgetTable
  }
}

export const toWireWidget = (row: Row<'widget'>): Wire.Widget => ({
  ...identityOf(row),
  project_id: row.project_id,
  color: row.color,
})

export const deleteWidget = (work: Writing, widget: Row<'widget'>): Promise<void> =>
  deleteRow(work, 'widget', widget)

export const widget: StoredKind<'widget'> = {
  tables: {
    widget: {
      marked: true,
      within: { project_id: 'project' },
      names: { widget_name: kinds.widget.type },
    },
  },
  live: 'time_deleted is null',
  search: searchOf('widget_search', {
    searched: described,
    sorts: {
      ...usualSorts,
      color: text('color'),
    },
    filters: { color: oneOf('color') },
    toWire: each(toWireWidget),
  }),
  steps: { delete: stepOn('widget', 'widget_delete', deleteWidget) },
  deletion: { columns: { project_id: 'project_id' } },
}
