import { AlertDeliveryState, AlertSubscription } from '../alerts/schemas.ts'
import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { boolean, NameOrId, uuid } from '../../schema.ts'
import { searched } from '../../searched.ts'
import {
  AlertDeliveryResultsPage,
  AlertDeliveryTrigger,
  AlertProbeResult,
  AlertReceiver,
  AlertReceiverResultsPage,
  AlertReceiverWithDelivery,
  AlertSubscriptionCreate,
  AlertSubscriptionCreated,
  DeliveryOfAlertResultsPage,
  WebhookCreate,
  WebhookReceiver,
  WebhookReceiverUpdate,
  WebhookSecret,
  WebhookSecretCreate,
  WebhookSecrets,
} from './schemas.ts'

const tags = ['system/alerts']
const path = '/v1/alert-receivers'
const params = { receiver: NameOrId }
const read = { alert_receiver: 'read' } as const
const modify = { alert_receiver: 'modify' } as const
const flag = boolean.nullable().optional()

const alert_receiver_list = {
  method: 'GET',
  path,
  tags,
  summary: 'List alert receivers',
  permission: { alert_receiver: 'list' },
  ...paged('name_or_id'),
  success: { status: 200, schema: AlertReceiverResultsPage },
} as const satisfies Operation

export const alertReceiverOperations = {
  alert_receiver_list,
  alert_receiver_search: searched({
    kind: 'AlertReceiver',
    item: AlertReceiverWithDelivery,
    plain: alert_receiver_list,
    columns: ['name', 'natural_name', 'description', 'endpoint', 'time_created'],
    filters: {},
  }),
  alert_receiver_view: {
    method: 'GET',
    path: `${path}/{receiver}`,
    tags,
    summary: 'Show an alert receiver',
    permission: read,
    params,
    success: { status: 200, schema: AlertReceiver },
  },
  alert_receiver_delete: {
    method: 'DELETE',
    path: `${path}/{receiver}`,
    tags,
    summary: 'Delete an alert receiver, with its secrets and deliveries',
    permission: modify,
    params,
    success: { status: 204 },
  },
  alert_receiver_subscription_add: {
    method: 'POST',
    path: `${path}/{receiver}/subscriptions`,
    tags,
    summary: 'Subscribe an alert receiver to a class of alerts, or to a pattern of classes',
    permission: modify,
    params,
    body: AlertSubscriptionCreate,
    actsLater: 'place',
    success: { status: 201, schema: AlertSubscriptionCreated },
  },
  alert_receiver_subscription_remove: {
    method: 'DELETE',
    path: `${path}/{receiver}/subscriptions/{subscription}`,
    tags,
    summary: 'Remove a subscription of an alert receiver',
    permission: modify,
    params: { ...params, subscription: AlertSubscription },
    success: { status: 204 },
  },
  alert_delivery_list: {
    method: 'GET',
    path: `${path}/{receiver}/deliveries`,
    tags,
    summary: 'List the deliveries to an alert receiver, with their attempts',
    permission: read,
    params,
    ...paged('time_and_id', { delivered: flag, failed: flag, pending: flag }),
    success: { status: 200, schema: AlertDeliveryResultsPage },
  },
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
    success: { status: 200, schema: DeliveryOfAlertResultsPage },
  },
  alert_receiver_probe: {
    method: 'POST',
    path: `${path}/{receiver}/probe`,
    tags,
    summary: 'Send a probe to an alert receiver, and optionally resend failed deliveries',
    permission: modify,
    params,
    query: { resend: boolean.optional() },
    // No transaction stays open while the receiver responds.
    transaction: 'own',
    success: { status: 200, schema: AlertProbeResult },
  },
  webhook_receiver_create: {
    method: 'POST',
    path: '/v1/webhook-receivers',
    tags,
    summary: 'Create an alert receiver that is a webhook',
    permission: { alert_receiver: 'create' },
    body: WebhookCreate,
    transaction: 'own',
    audited: { kind: 'alert_receiver', name: 'name' },
    actsLater: 'place',
    success: { status: 201, schema: WebhookReceiver },
  },
  webhook_receiver_update: {
    method: 'PUT',
    path: '/v1/webhook-receivers/{receiver}',
    tags,
    summary: 'Rename or describe a webhook, or change its URL',
    permission: modify,
    params,
    body: WebhookReceiverUpdate,
    replaces: { id: 'alert_receiver_view' },
    transaction: 'own',
    actsLater: 'place',
    success: { status: 204 },
  },
  webhook_secrets_list: {
    method: 'GET',
    path: '/v1/webhook-secrets',
    tags,
    summary: 'List the secrets of a webhook, without their values',
    permission: read,
    query: { receiver: NameOrId },
    success: { status: 200, schema: WebhookSecrets },
  },
  webhook_secrets_add: {
    method: 'POST',
    path: '/v1/webhook-secrets',
    tags,
    summary: 'Add a secret to a webhook; deliveries are signed with each of its secrets',
    permission: modify,
    query: { receiver: NameOrId },
    body: WebhookSecretCreate,
    audited: { kind: 'alert_receiver', secret: 'secret' },
    actsLater: 'place',
    success: { status: 201, schema: WebhookSecret },
  },
  webhook_secrets_delete: {
    method: 'DELETE',
    path: '/v1/webhook-secrets/{secret_id}',
    tags,
    summary: 'Remove a secret from a webhook',
    permission: { webhook_secret: 'modify' },
    params: { secret_id: uuid },
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
