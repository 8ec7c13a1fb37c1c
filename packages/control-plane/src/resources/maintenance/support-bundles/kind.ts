import type { StoredKind } from '../../../kernel/kinds.ts'
import { stillOwnsBytes } from '../../../kernel/orphaned-bytes.ts'
import { age, oneOf } from '../../../kernel/search/filters.ts'
import { each, number, searchOf, text } from '../../../kernel/search/search.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { deleteBundle } from './delete.ts'
import { toWireBundleDetails } from './wire.ts'
import { supportBundleTables } from './table.ts'

export const support_bundle: StoredKind<'support_bundle'> = {
  tables: supportBundleTables,
  volumes: [
    (db, some) =>
      db
        .selectFrom('support_bundle')
        .select('volume_id as id')
        .where('volume_id', 'in', some)
        .where(stillOwnsBytes)
        .$narrowType<{ id: string }>(),
  ],
  live: 'time_deleted is null',
  search: searchOf('support_bundle_search', {
    searched: ['name', 'user_comment'],
    sorts: {
      time_created: text('time_created'),
      user_comment: text('user_comment'),
      state: text('state'),
      size: number('size'),
    },
    filters: { state: oneOf('state'), age: age('time_created') },
    toWire: each(toWireBundleDetails),
  }),
  bulkColumns: ['state'],
  steps: {
    delete: stepOn('support_bundle', 'support_bundle_delete', deleteBundle),
  },
  deletion: { columns: { state: 'state' } },
}
