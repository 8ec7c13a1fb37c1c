/** Attaches external subnets to instances (control plane 8.9). */
import {
  addressChangeRefusal,
  externalSubnetMessages,
  INSTANCE_MAX_EXTERNAL_SUBNETS,
  parseNetwork,
} from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { fail, refuseIf } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { countRows, readRow } from '../../../kernel/db/rows.ts'
import { primaryOf } from '../external-ips/rules.ts'

const requireSettled = (verb: 'attach' | 'detach', { run_state }: Row<'instance'>) =>
  refuseIf(addressChangeRefusal(verb, 'external subnet', run_state))

/** @throws ApiError 400 if the instance has its maximum of external subnets */
async function requireRoom(db: Db, instance: Row<'instance'>): Promise<void> {
  const count = await countRows(
    db.selectFrom('external_subnet').where('instance_id', '=', instance.id),
  )
  if (count >= INSTANCE_MAX_EXTERNAL_SUBNETS) {
    throw fail.invalidRequest(externalSubnetMessages.tooMany)
  }
}

/** @throws ApiError 400 if the primary interface lacks the version of the subnet */
async function requireStack(
  db: Db,
  { subnet }: Row<'external_subnet'>,
  instance: Row<'instance'>,
): Promise<void> {
  const { version } = parseNetwork(subnet)!
  const primary = await primaryOf(db, instance)
  const has = version === 'v4' ? primary?.ipv4 : primary?.ipv6
  if (!has) throw fail.invalidRequest(externalSubnetMessages.noStack(version))
}

async function setInstance(
  { db, now, emit }: Writing,
  row: Row<'external_subnet'>,
  instance_id: string | null,
): Promise<Row<'external_subnet'>> {
  const changed = await db
    .updateTable('external_subnet')
    .set({ instance_id, time_modified: now.toISOString() })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await emit('external_subnet', 'update', changed)
  return changed
}

/** Attaches a subnet to an instance; does nothing if it is already attached there. */
export async function attachExternalSubnet(
  work: Writing,
  row: Row<'external_subnet'>,
  instance: Row<'instance'>,
): Promise<Row<'external_subnet'>> {
  if (row.project_id !== instance.project_id) {
    throw fail.invalidRequest(externalSubnetMessages.otherProject)
  }
  if (row.instance_id === instance.id) return row
  if (row.instance_id !== null) throw fail.invalidRequest(externalSubnetMessages.attachedElsewhere)
  requireSettled('attach', instance)
  await requireRoom(work.db, instance)
  await requireStack(work.db, row, instance)
  const attached = await setInstance(work, row, instance.id)
  await work.emit('instance', 'update', instance)
  return attached
}

/** @throws ApiError 400 if it is not attached, or the state of the instance does not allow it */
export async function detachExternalSubnet(
  work: Writing,
  row: Row<'external_subnet'>,
): Promise<Row<'external_subnet'>> {
  if (row.instance_id === null) throw fail.invalidRequest(externalSubnetMessages.notAttached)
  const instance = await readRow(work.db, 'instance', row.instance_id)
  requireSettled('detach', instance)
  const detached = await setInstance(work, row, null)
  await work.emit('instance', 'update', instance)
  return detached
}

/** Detaches the subnets of a deleted instance. */
export async function releaseExternalSubnets(work: Writing, instanceId: string): Promise<void> {
  const rows = await work.db
    .selectFrom('external_subnet')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .execute()
  for (const row of rows) await setInstance(work, row, null)
}
