import type { SupportBundleState } from '@steading/api/rules'
import type { Generated } from 'kysely'
import type { Wire } from '@steading/api'
import type { Reconciled, SoftDeleted } from '../../../kernel/db/schema.ts'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { stillOwnsBytes } from '../../../kernel/orphaned-bytes.ts'
import { age, oneOf } from '../../../kernel/search/filters.ts'
import { each, number, searchOf, text } from '../../../kernel/search/search.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { pick } from '../../../kernel/pick.ts'
import { deleteBundle } from './delete.ts'

export interface SupportBundleTable extends SoftDeleted, Reconciled {
  id: string
  /** All bundles are in one list, the fleet's. */
  fleet_id: Generated<string>
  /** See `supportBundleName`. */
  name: string
  state: SupportBundleState
  /** Empty for no comment. */
  user_comment: string
  reason_for_creation: string
  reason_for_failure: string | null
  /** The volume with its bytes; each attempt to collect it writes to another one. */
  volume_id: string | null
  /** Size in bytes once it is active; zero until then. */
  size: number
  time_created: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    support_bundle: SupportBundleTable
  }
}

export const toWireBundle = (row: Row<'support_bundle'>): Wire.SupportBundleInfo => ({
  ...pick(row, 'id', 'time_created', 'reason_for_creation', 'reason_for_failure', 'state'),
  user_comment: row.user_comment === '' ? null : row.user_comment,
})

export const toWireBundleDetails = (row: Row<'support_bundle'>): Wire.SupportBundleDetails => ({
  ...toWireBundle(row),
  name: row.name,
  size: row.state === 'active' ? row.size : null,
})

export const support_bundle: StoredKind<'support_bundle'> = {
  tables: {
    support_bundle: { marked: true },
  },
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
