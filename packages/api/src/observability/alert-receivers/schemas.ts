import { URL_MAX } from '../../rules/urls.ts'
import { AlertDeliveryState, AlertSubscription } from '../alerts/schemas.ts'
import {
  ALERT_SUBSCRIPTIONS_MAX,
  attemptResults,
  deliveryTriggers,
  WEBHOOK_SECRET_MAX,
  WEBHOOK_SECRETS_MAX,
} from '../alerts/rules.ts'
import {
  dateTime,
  identity,
  identityCreate,
  identityUpdate,
  list,
  Name,
  named,
  oneOf,
  record,
  ruledArray,
  ruledText,
  string,
  tagged,
  uint,
  uint16,
  unionByKey,
  uuid,
} from '../../schema.ts'

/** Validated by the rules. */
const Endpoint = ruledText(URL_MAX, { format: 'uri' })
const secret = ruledText(WEBHOOK_SECRET_MAX)

/** A secret without its value, which is never returned. */
export const WebhookSecret = record('WebhookSecret', { id: uuid, time_created: dateTime })
export const WebhookSecrets = record('WebhookSecrets', { secrets: list(WebhookSecret) })
export const WebhookSecretCreate = record('WebhookSecretCreate', { secret })

const AlertReceiverKind = named(
  'AlertReceiverKind',
  tagged('kind', { webhook: { endpoint: Endpoint, secrets: list(WebhookSecret) } }),
)

const receiverFields = {
  ...identity,
  kind: AlertReceiverKind,
  subscriptions: list(AlertSubscription),
}
export const AlertReceiver = record('AlertReceiver', receiverFields)

/** A receiver with its last delivery, as in the list. */
export const AlertReceiverWithDelivery = record('AlertReceiverWithDelivery', {
  ...receiverFields,
  last_delivery: record('LastAlertDelivery', {
    state: AlertDeliveryState,
    time_started: dateTime,
  }).nullable(),
})

export const WebhookReceiver = record('WebhookReceiver', {
  ...identity,
  endpoint: Endpoint,
  secrets: list(WebhookSecret),
  subscriptions: list(AlertSubscription),
})
export const WebhookCreate = record('WebhookCreate', {
  ...identityCreate,
  endpoint: Endpoint,
  secrets: ruledArray(secret, WEBHOOK_SECRETS_MAX),
  subscriptions: ruledArray(AlertSubscription, ALERT_SUBSCRIPTIONS_MAX).default([]),
})
export const WebhookReceiverUpdate = record('WebhookReceiverUpdate', {
  ...identityUpdate,
  endpoint: Endpoint.nullable().optional(),
})

export const AlertSubscriptionCreate = record('AlertSubscriptionCreate', {
  subscription: AlertSubscription,
})
export const AlertSubscriptionCreated = record('AlertSubscriptionCreated', {
  subscription: AlertSubscription,
})

const WebhookDeliveryAttempt = record('WebhookDeliveryAttempt', {
  attempt: uint,
  result: named('WebhookDeliveryAttemptResult', oneOf(...attemptResults)),
  time_sent: dateTime,
  response: record('WebhookDeliveryResponse', { status: uint16, duration_ms: uint })
    .nullable()
    .optional(),
})

export const AlertDeliveryTrigger = named('AlertDeliveryTrigger', oneOf(...deliveryTriggers))

const deliveryFields = {
  id: uuid,
  receiver_id: uuid,
  alert_class: string,
  alert_id: uuid,
  state: AlertDeliveryState,
  trigger: AlertDeliveryTrigger,
  time_started: dateTime,
  attempts: named('AlertDeliveryAttempts', unionByKey({ webhook: list(WebhookDeliveryAttempt) })),
}
export const AlertDelivery = record('AlertDelivery', deliveryFields)

/** A delivery with the data that a list across receivers needs. */
export const DeliveryOfAlert = record('DeliveryOfAlert', {
  ...deliveryFields,
  receiver_name: Name,
  /** Time of the next attempt; null if there is none. */
  time_next_attempt: dateTime.nullable(),
})

export const AlertProbeResult = record('AlertProbeResult', {
  probe: AlertDelivery,
  resends_started: uint.nullable().optional(),
})
