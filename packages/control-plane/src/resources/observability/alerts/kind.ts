import type { Wire } from '@steading/api'
import { jsonColumn } from '../../../kernel/db/json-column.ts'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { age, oneOf } from '../../../kernel/search/filters.ts'
import { searchOf, text } from '../../../kernel/search/search.ts'
import { idsIn } from '../../../kernel/db/rows.ts'
import { pick } from '../../../kernel/pick.ts'
import { countDeliveries } from './deliveries.ts'

/** Alerts never change, and are removed when they are old. */
export interface AlertTable {
  id: string
  /** All alerts are in one list, the fleet's. */
  fleet_id: string
  /** The class. */
  name: string
  version: number
  /** JSON. */
  payload: string
  /** The texts of the payload, for searches. */
  words: string
  time_created: string
}

/** The delivery of an alert to a receiver. */
export interface AlertDeliveryTable {
  id: string
  receiver_id: string
  /** `PROBE_ALERT_ID` for probes, which have no stored alert. */
  alert_id: string
  /** Class of the alert. */
  name: string
  trigger: Wire.AlertDeliveryTrigger
  state: Wire.AlertDeliveryState
  time_started: string
  /** When it is next tried; null unless it is pending. */
  time_next_attempt: string | null
  /** JSON: the attempts so far, as in answers. */
  attempts: string
}

export const alertPayload = jsonColumn<unknown>()
export const deliveryAttempts = jsonColumn<Wire.WebhookDeliveryAttempt[]>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    alert: AlertTable
    alert_delivery: AlertDeliveryTable
  }
}

export const toWireAlert = (row: Row<'alert'>): Wire.Alert => ({
  id: row.id,
  class: row.name,
  version: row.version,
  alert: alertPayload.read(row.payload),
  time_created: row.time_created,
  time_modified: row.time_created,
})

export const attemptsOf = (row: Pick<Row<'alert_delivery'>, 'attempts'>) =>
  deliveryAttempts.read(row.attempts)

export const toWireDelivery = (row: Row<'alert_delivery'>): Wire.AlertDelivery => ({
  id: row.id,
  receiver_id: row.receiver_id,
  alert_class: row.name,
  ...pick(row, 'alert_id', 'state', 'trigger', 'time_started'),
  attempts: { webhook: attemptsOf(row) },
})

export const alert: StoredKind<'alert'> = {
  tables: {
    alert_delivery: { partOf: { receiver_id: 'alert_receiver' } },
  },
  live: '1 = 1',
  search: searchOf('alert_search', {
    searched: ['name', 'words'],
    sorts: { class: text('name'), time_created: text('time_created') },
    filters: { class: oneOf('name'), age: age('time_created') },
    async toWire(rows: Row<'alert'>[], { db }) {
      const counts = await countDeliveries(db, idsIn(rows))
      return rows.map((row) => ({ ...toWireAlert(row), deliveries: counts.get(row.id)! }))
    },
  }),
}

export const alert_delivery: StoredKind<'alert_delivery'> = {
  live: '1 = 1',
  parentColumn: 'receiver_id',
}
