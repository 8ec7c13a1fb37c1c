import type { StoredKind } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import { described, each, searchOf, text, usualSorts } from '../../../kernel/search/search.ts'
import { step } from '../../../kernel/job-steps.ts'
import { deleteWidget } from './delete.ts'
import { toWireWidget } from './wire.ts'
import { widgetTables } from './table.ts'

export const widget: StoredKind<'widget'> = {
  tables: widgetTables,
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
  steps: {
    delete: step('widget_delete', async (work, id) =>
      deleteWidget(work, await lookup(work, 'widget', id)),
    ),
  },
  deletion: { columns: { project_id: 'project_id' } },
}
