import { kinds } from '@steading/api/rules'
import { storeTable } from '../../../kernel/db/tables.ts'
import { storeKind } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import { described, each, searchOf, text, usualSorts } from '../../../kernel/search/search.ts'
import { step } from '../../../kernel/steps.ts'
import { deleteWidget } from './delete.ts'
import type { WidgetTable } from './table.ts'
import { viewWidget } from './view.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    widget: WidgetTable
  }
}

storeTable('widget', {
  marked: true,
  within: { project_id: 'project' },
  names: { widget_name: kinds.widget.type },
})

storeKind('widget', {
  table: 'widget',
  live: 'time_deleted is null',
  search: searchOf('widget_search', {
    searched: described,
    sorts: {
      ...usualSorts,
      color: text('color'),
    },
    filters: { color: oneOf('color') },
    views: each(viewWidget),
  }),
  steps: {
    delete: step('widget_delete', async (work, id) =>
      deleteWidget(work, await lookup(work, 'widget', id)),
    ),
  },
  deletion: { columns: { project_id: 'project_id' } },
})
