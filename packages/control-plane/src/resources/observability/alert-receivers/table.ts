import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
import type { Listed, Reconciled, SoftDeleted } from '../../../kernel/db/schema.ts'

/** The reconciler claims receivers, so that one server at a time sends to each. */
export interface AlertReceiverTable extends Listed, SoftDeleted, Reconciled {
  /** All receivers are in one list, the fleet's. */
  fleet_id: string
  /** URL. */
  endpoint: string
}

export interface WebhookSecretTable {
  id: string
  receiver_id: string
  /** The key of the signatures. It must not outlive its use, so rows are removed at once. */
  value: string
  time_created: string
}

export interface AlertSubscriptionTable {
  receiver_id: string
  /** A class, or a pattern of classes. */
  subscription: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    alert_receiver: AlertReceiverTable
    webhook_secret: WebhookSecretTable
    alert_subscription: AlertSubscriptionTable
  }
}

export const alertReceiverTables: StoredTables = {
  alert_receiver: {
    actsLater: 'place',
    marked: true,
    names: { alert_receiver_name: kinds.alert_receiver.type },
  },
  webhook_secret: { actsLater: 'place', within: { receiver_id: 'alert_receiver' } },
  alert_subscription: { actsLater: 'place', within: { receiver_id: 'alert_receiver' } },
}
