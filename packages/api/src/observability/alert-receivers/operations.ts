import { AlertDeliveryState, AlertSubscription } from '../alerts/schemas.ts'
import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { boolean, NameOrId, resultsPage, uuid } from '../../schema.ts'
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

const receivers = usual('alert_receiver', {
  item: AlertReceiver,
  path: '/v1/alert-receivers/{receiver}',
  tag: 'system/alerts',
})

const flag = boolean.nullable().optional()

export const alertReceiverOperations = {
  ...receivers({
    list: {},
    search: { pages: AlertReceiverWithDelivery, columns: ['endpoint'] },
    view: {},
    delete: { summary: 'Delete an alert receiver, with its secrets and deliveries' },
    subscription_add: {
      route: 'POST subscriptions',
      summary: 'Subscribe an alert receiver to a class of alerts, or to a pattern of classes',
      body: AlertSubscriptionCreate,
      actsLater: 'place',
      success: { status: 201, schema: AlertSubscriptionCreated },
    },
    subscription_remove: {
      route: 'DELETE subscriptions/{subscription}',
      summary: 'Remove a subscription of an alert receiver',
      params: { subscription: AlertSubscription },
    },
  }),
  ...usual('alert_delivery', {
    path: '/v1/alert-receivers/{receiver}/deliveries/{delivery}',
    tag: 'system/alerts',
  })({
    list: {
      summary: 'List the deliveries to an alert receiver, with their attempts',
      permission: { alert_receiver: 'read' },
      query: { delivered: flag, failed: flag, pending: flag },
      pages: AlertDelivery,
      sort: 'time_and_id',
    },
  }),
  alert_delivery_search: {
    method: 'GET',
    path: '/x/v1/alert-deliveries',
    tags: ['extensions'],
    summary: 'List deliveries of alerts: of an alert, to a receiver, or in a state',
    permission: { alert_delivery: 'list' },
    ...paged(
      { kind: 'AlertDelivery', columns: ['time_started'] },
      {
        receiver: uuid.optional(),
        alert: uuid.optional(),
        state: AlertDeliveryState.optional(),
        trigger: AlertDeliveryTrigger.optional(),
      },
    ),
    success: { status: 200, schema: resultsPage(DeliveryOfAlert) },
  },
  ...receivers({
    probe: {
      summary: 'Send a probe to an alert receiver, and optionally resend failed deliveries',
      query: { resend: boolean.optional() },
      // No transaction stays open while the receiver responds.
      transaction: 'own',
      success: { status: 200, schema: AlertProbeResult },
    },
  }),
  ...usual('alert_receiver', {
    item: WebhookReceiver,
    id: 'webhook_receiver',
    path: '/v1/webhook-receivers/{receiver}',
    tag: 'system/alerts',
  })({
    create: {
      summary: 'Create an alert receiver that is a webhook',
      body: WebhookCreate,
      transaction: 'own',
      audited: { kind: 'alert_receiver', name: 'name' },
      actsLater: 'place',
    },
    update: {
      summary: 'Rename or describe a webhook, or change its URL',
      body: WebhookReceiverUpdate,
      replaces: { id: 'alert_receiver_view' },
      transaction: 'own',
      actsLater: 'place',
      success: { status: 204 },
    },
  }),
  ...usual('webhook_secret', {
    id: 'webhook_secrets',
    path: '/v1/webhook-secrets/{secret_id}',
    tag: 'system/alerts',
  })({
    list: {
      summary: 'List the secrets of a webhook, without their values',
      permission: { alert_receiver: 'read' },
      query: { receiver: NameOrId },
      answer: WebhookSecrets,
    },
    add: {
      route: 'POST /v1/webhook-secrets',
      summary: 'Add a secret to a webhook; deliveries are signed with each of its secrets',
      permission: { alert_receiver: 'modify' },
      query: { receiver: NameOrId },
      body: WebhookSecretCreate,
      audited: { kind: 'alert_receiver', secret: 'secret' },
      actsLater: 'place',
      success: { status: 201, schema: WebhookSecret },
    },
    delete: { summary: 'Remove a secret from a webhook' },
  }),
} as const satisfies Record<string, Operation>
