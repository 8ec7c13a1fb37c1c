import type { Wire } from '@steading/api'
import { pick } from '../../../kernel/pick.ts'
import type { FencingRow } from './change.ts'
import { checkedColumn } from './table.ts'

function toWireCheck({ checked, time_checked }: FencingRow): Wire.HostFencing['last_check'] {
  if (checked === null || time_checked === null) return null
  const answer = checkedColumn.read(checked)
  return 'power' in answer
    ? { time_checked, power: answer.power, problem: null, remedy: null }
    : { time_checked, power: null, ...answer }
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

export const toWireFencingStatus = (row: FencingRow): Wire.HostFencingStatus => ({
  ...pick(row, 'method', 'state', 'time_since'),
  automatic: row.automatic === 1,
  reason: row.failure ?? row.hold,
  remedy: row.failure === null ? null : row.remedy,
})
