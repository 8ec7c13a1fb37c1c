import { AlertDeliveryState, AlertSubscription } from '../alerts/schemas.ts'
import { boolean, NameOrId, uuid } from '../../schema.ts'
import {
  AlertDelivery,
  AlertDeliveryTrigger,
  AlertProbeResult,
  AlertReceiver,
  AlertReceiverWithDelivery,
  AlertSubscriptionCreate,
  AlertSubscriptionCreated,
  DeliveryOfAlert,
  WebhookCreate,
  WebhookReceiver,
  WebhookReceiverUpdate,
  WebhookSecret,
  WebhookSecretCreate,
  WebhookSecrets,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

const flag = boolean.nullable().optional()

export const alertReceiverOperations = usual('alert_receiver', {
  item: AlertReceiver,
  path: '/v1/alert-receivers/{receiver}',
  tag: 'system/alerts',
})({
  alert_receiver_list: {},
  alert_receiver_search: { pages: AlertReceiverWithDelivery, columns: ['endpoint'] },
  alert_receiver_view: {},
  alert_receiver_delete: { summary: 'Delete an alert receiver, with its secrets and deliveries' },
  alert_receiver_subscription_add: {
    route: 'POST subscriptions',
    summary: 'Subscribe an alert receiver to a class of alerts, or to a pattern of classes',
    body: AlertSubscriptionCreate,
    actsLater: 'place',
    success: { status: 201, schema: AlertSubscriptionCreated },
  },
  alert_receiver_subscription_remove: {
    route: 'DELETE subscriptions/{subscription}',
    summary: 'Remove a subscription of an alert receiver',
    params: { subscription: AlertSubscription },
  },
  alert_delivery_list: {
    route: 'GET deliveries',
    summary: 'List the deliveries to an alert receiver, with their attempts',
    query: { delivered: flag, failed: flag, pending: flag },
    pages: AlertDelivery,
    sort: 'time_and_id',
  },
  alert_delivery_search: {
    route: 'GET /x/v1/alert-deliveries',
    summary: 'List deliveries of alerts: of an alert, to a receiver, or in a state',
    permission: { alert_delivery: 'list' },
    query: {
      receiver: uuid.optional(),
      alert: uuid.optional(),
      state: AlertDeliveryState.optional(),
      trigger: AlertDeliveryTrigger.optional(),
    },
    pages: DeliveryOfAlert,
    sort: { kind: 'AlertDelivery', columns: ['time_started'] },
  },
  alert_receiver_probe: {
    summary: 'Send a probe to an alert receiver, and optionally resend failed deliveries',
    query: { resend: boolean.optional() },
    // No transaction stays open while the receiver responds.
    transaction: 'own',
    success: { status: 200, schema: AlertProbeResult },
    changes: ['alert_delivery'],
  },
  webhook_receiver_create: {
    route: 'POST /v1/webhook-receivers',
    summary: 'Create an alert receiver that is a webhook',
    permission: { alert_receiver: 'create' },
    body: WebhookCreate,
    transaction: 'own',
    audited: { kind: 'alert_receiver', name: 'name' },
    actsLater: 'place',
    success: { status: 201, schema: WebhookReceiver },
  },
  webhook_receiver_update: {
    route: 'PUT /v1/webhook-receivers/{receiver}',
    summary: 'Rename or describe a webhook, or change its URL',
    body: WebhookReceiverUpdate,
    replaces: { id: 'alert_receiver_view' },
    transaction: 'own',
    actsLater: 'place',
    success: { status: 204 },
  },
  webhook_secrets_list: {
    route: 'GET /v1/webhook-secrets',
    summary: 'List the secrets of a webhook, without their values',
    query: { receiver: NameOrId },
    answer: WebhookSecrets,
  },
  webhook_secrets_add: {
    route: 'POST /v1/webhook-secrets',
    summary: 'Add a secret to a webhook; deliveries are signed with each of its secrets',
    query: { receiver: NameOrId },
    body: WebhookSecretCreate,
    audited: { kind: 'alert_receiver', secret: 'secret' },
    actsLater: 'place',
    success: { status: 201, schema: WebhookSecret },
  },
  webhook_secrets_delete: {
    route: 'DELETE /v1/webhook-secrets/{secret_id}',
    summary: 'Remove a secret from a webhook',
    permission: { webhook_secret: 'modify' },
  },
})
