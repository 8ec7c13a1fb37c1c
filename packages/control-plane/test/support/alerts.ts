/** Alerts, and receivers with a refused address, inserted directly into the database. */
import { FLEET_ID } from '@steading/api/rules'
import type { Selectable } from 'kysely'
import { raiseAlert } from '../../src/resources/observability/alerts/raise.ts'
import type { AlertReceiverTable } from '../../src/resources/observability/alert-receivers/kind.ts'
import { writingIn } from '../../src/kernel/work.ts'
import { named } from '../../src/kernel/search/name-key.ts'
import type { TestServer } from './harness.ts'
import { unclaimed } from '../../src/kernel/db/leases.ts'

export const PSU_REMOVED = 'hardware.power_shelf.psu.remove'

/** @returns the id of the alert */
export const addAlert = (
  { host }: Pick<TestServer, 'host'>,
  payload: Parameters<typeof raiseAlert>[2] = { slot: 1 },
  at: Date = new Date(),
): Promise<string> =>
  host.controlPlane.database.transaction((tx) =>
    raiseAlert(writingIn(tx, at), PSU_REMOVED, payload),
  )

/** A receiver with one secret, subscribed to removed power supplies. */
export async function addReceiver(
  { db }: Pick<TestServer, 'db'>,
  name: string,
  endpoint = 'http://127.0.0.1:9/hook',
): Promise<Selectable<AlertReceiverTable> & { secretId: string }> {
  const now = new Date().toISOString()
  const receiver = {
    id: crypto.randomUUID(),
    fleet_id: FLEET_ID,
    ...named(name),
    description: '',
    endpoint,
    time_created: now,
    time_modified: now,
    time_deleted: null,
    reconcile_at: null,
    ...unclaimed,
  }
  const secretId = crypto.randomUUID()
  const part = { receiver_id: receiver.id }
  await db.insertInto('alert_receiver').values(receiver).execute()
  await db
    .insertInto('webhook_secret')
    .values({ ...part, id: secretId, value: 'sesame', time_created: now })
    .execute()
  await db
    .insertInto('alert_subscription')
    .values({ ...part, subscription: PSU_REMOVED })
    .execute()
  return { ...receiver, secretId }
}

/** A rule that fires as soon as anything is measured. */
export const alertRuleBody = (about: { name: string; description: string }) => ({
  ...about,
  query: 'get virtual_machine:vcpu_usage',
  comparison: 'above' as const,
  threshold: 1,
  duration: 60,
  severity: 'warning' as const,
})
