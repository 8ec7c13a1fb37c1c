import { ALERT_SUBSCRIPTION_MAX, deliveryStates } from './rules.ts'
import {
  anything,
  dateTime,
  named,
  oneOf,
  record,
  string,
  text,
  uint32,
  uint64,
  uuid,
} from '../../schema.ts'

/** A class of alerts, or a pattern of classes, validated by the rules. */
export const AlertSubscription = named(
  'AlertSubscription',
  text(ALERT_SUBSCRIPTION_MAX, {
    pattern: '^([a-zA-Z0-9_]+|\\*|\\*\\*)(\\.([a-zA-Z0-9_]+|\\*|\\*\\*))*$',
  }),
)

export const AlertClass = record('AlertClass', { name: string, description: string })

const alertFields = {
  id: uuid,
  class: string,
  version: uint32,
  alert: anything,
  time_created: dateTime,
  time_modified: dateTime,
}
export const Alert = record('Alert', alertFields)

const DeliveryCounts = record(
  'AlertDeliveryCounts',
  Object.fromEntries(deliveryStates.map((state) => [state, uint64])),
)

/** An alert with the number of its deliveries per state, as in the list. */
export const AlertWithDeliveries = record('AlertWithDeliveries', {
  ...alertFields,
  deliveries: DeliveryCounts,
})

export const AlertDeliveryState = named('AlertDeliveryState', oneOf(...deliveryStates))
export const AlertDeliveryId = record('AlertDeliveryId', { delivery_id: uuid })
