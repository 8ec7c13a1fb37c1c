import type { Wire } from '@steading/api'
import { leaseHoldMeanings, leaseHoldRemedies } from '@steading/api/rules'
import { pick } from '../../../kernel/pick.ts'
import { type FencingRow, leaseHoldOf } from './change.ts'
import { checkedColumn } from './table.ts'

function toWireCheck({ checked, time_checked }: FencingRow): Wire.HostFencing['last_check'] {
  if (checked === null || time_checked === null) return null
  const answer = checkedColumn.read(checked)
  if ('problem' in answer) return { time_checked, power: null, ...answer }
  const power = 'power' in answer ? answer.power : null
  return { time_checked, power, problem: null, remedy: null }
}

export const toWireFencing = (row: FencingRow): Wire.HostFencing => ({
  ...pick(row, 'method', 'address', 'port', 'system'),
  automatic: row.automatic === 1,
  user: row.user_name,
  has_password: row.password !== null,
  verify_certificate: row.verify_certificate === 1,
  checking: row.check_due === 1,
  last_check: toWireCheck(row),
})

export function toWireFencingStatus(row: FencingRow): Wire.HostFencingStatus {
  const hold = row.failure === null ? leaseHoldOf(row) : undefined
  return {
    ...pick(row, 'method', 'state', 'time_since'),
    automatic: row.automatic === 1,
    reason: row.failure ?? (hold ? leaseHoldMeanings[hold] : row.hold),
    remedy: row.failure === null ? ((hold && leaseHoldRemedies[hold]) ?? null) : row.remedy,
    lease_hold: hold ?? null,
  }
}
