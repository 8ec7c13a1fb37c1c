import type { Wire } from '@steading/api'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { secretsOf, toWireSecret } from './secrets.ts'
import { subscriptionsOf } from '../alerts/subscriptions.ts'

type Receiver = Row<'alert_receiver'>

const identityOf = ({ id, name, description, time_created, time_modified }: Receiver) => ({
  id,
  name,
  description,
  time_created,
  time_modified,
})

async function partsOf(db: Db, rows: readonly Receiver[]) {
  const ids = rows.map(({ id }) => id)
  const secrets = await secretsOf(db, ids)
  const subscriptions = await subscriptionsOf(db, ids)
  return ({ id, endpoint }: Receiver) => ({
    endpoint,
    secrets: secrets.get(id)!.map(toWireSecret),
    subscriptions: subscriptions.get(id)!,
  })
}

export async function toWireReceivers(
  db: Db,
  rows: readonly Receiver[],
): Promise<Wire.AlertReceiver[]> {
  const parts = await partsOf(db, rows)
  return rows.map((row) => {
    const { subscriptions, ...webhook } = parts(row)
    return { ...identityOf(row), kind: { kind: 'webhook', ...webhook }, subscriptions }
  })
}

export async function toWireWebhook(db: Db, row: Receiver): Promise<Wire.WebhookReceiver> {
  const parts = await partsOf(db, [row])
  return { ...identityOf(row), ...parts(row) }
}
