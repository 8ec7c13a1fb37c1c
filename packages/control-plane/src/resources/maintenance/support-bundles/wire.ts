import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'

export const toWireBundle = (row: Row<'support_bundle'>): Wire.SupportBundleInfo => ({
  id: row.id,
  time_created: row.time_created,
  reason_for_creation: row.reason_for_creation,
  reason_for_failure: row.reason_for_failure,
  state: row.state,
  user_comment: row.user_comment === '' ? null : row.user_comment,
})

export const toWireBundleDetails = (row: Row<'support_bundle'>): Wire.SupportBundleDetails => ({
  ...toWireBundle(row),
  name: row.name,
  size: row.state === 'active' ? row.size : null,
})
