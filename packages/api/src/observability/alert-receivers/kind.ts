import type { Kind } from '../../kinds/kind.ts'
import { operating } from '../../rules/roles.ts'

export const alert_receiver = {
  access: operating,
  parent: 'fleet',
  listed: true,
  reads: ['issue_list', 'webhook_secrets_list', 'alert_delivery_search'],
  bulk: ['delete'],
  deletion: { after: [], cascades: [] },
} as const satisfies Kind

/** Signing key of deliveries to a receiver. */
export const webhook_secret = {
  access: operating,
  parent: 'alert_receiver',
  reads: ['webhook_secrets_list', 'alert_receiver_view', 'alert_receiver_list'],
} as const satisfies Kind

/** Delivery of an alert to a receiver, with all attempts. */
export const alert_delivery = {
  resource: 'alert-deliveries',
  access: operating,
  parent: 'alert_receiver',
  reads: ['issue_list', 'alert_delivery_search', 'alert_list', 'alert_receiver_list'],
} as const satisfies Kind
