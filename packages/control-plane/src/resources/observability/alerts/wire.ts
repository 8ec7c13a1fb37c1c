import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'
import { alertPayload, deliveryAttempts } from './table.ts'

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
  alert_id: row.alert_id,
  state: row.state,
  trigger: row.trigger,
  time_started: row.time_started,
  attempts: { webhook: attemptsOf(row) },
})
