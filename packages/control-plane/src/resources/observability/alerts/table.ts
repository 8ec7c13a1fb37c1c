import type { StoredTables } from '../../../kernel/db/tables.ts'
import type { Wire } from '@steading/api'
import { jsonColumn } from '../../../kernel/db/json-column.ts'

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

export const alertDeliveryTables: StoredTables = {
  alert_delivery: { partOf: { receiver_id: 'alert_receiver' } },
}
