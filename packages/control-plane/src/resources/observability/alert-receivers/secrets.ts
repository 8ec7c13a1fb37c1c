import type { Wire } from '@steading/api'
import { alertMessages, secretProblem, WEBHOOK_SECRETS_MAX } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'

export const toWireSecret = ({ id, time_created }: Row<'webhook_secret'>): Wire.WebhookSecret => ({
  id,
  time_created,
})

/** The secrets of the given receivers, the oldest first. */
export async function secretsOf(
  db: Db,
  receiverIds: readonly string[],
): Promise<Map<string, Row<'webhook_secret'>[]>> {
  const found = new Map<string, Row<'webhook_secret'>[]>(receiverIds.map((id) => [id, []]))
  if (receiverIds.length === 0) return found
  const rows = await db
    .selectFrom('webhook_secret')
    .selectAll()
    .where('receiver_id', 'in', receiverIds)
    .orderBy('time_created')
    .orderBy('id')
    .execute()
  for (const row of rows) found.get(row.receiver_id)!.push(row)
  return found
}

/** @throws ApiError 400 for a secret that is empty or too long */
export function requireSecret(label: string, value: string): void {
  const problem = secretProblem(value)
  if (problem) throw fail.invalidValue(label, problem)
}

/**
 * Stores secrets of a receiver.
 * @throws ApiError 400 for too many
 */
export async function addSecrets(
  db: Db,
  receiverId: string,
  values: readonly string[],
  now: Date,
): Promise<Row<'webhook_secret'>[]> {
  const present = (await secretsOf(db, [receiverId])).get(receiverId)!
  if (present.length + values.length > WEBHOOK_SECRETS_MAX) {
    throw fail.invalidRequest(alertMessages.tooManySecrets)
  }
  const rows = values.map((value) => ({
    id: crypto.randomUUID(),
    receiver_id: receiverId,
    value,
    time_created: now.toISOString(),
  }))
  await db.insertInto('webhook_secret').values(rows).execute()
  return rows
}
