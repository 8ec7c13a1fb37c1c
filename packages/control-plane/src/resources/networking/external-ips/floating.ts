import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { readRow } from '../../../kernel/db/rows.ts'
import { ipVersionOf } from '../addresses/keys.ts'
import { freeAddresses } from './allocate.ts'
import {
  primaryOf,
  requireRoom,
  requireSameProject,
  requireSettled,
  requireStack,
} from './rules.ts'

/** Writes the instance to which a floating address is attached. */
async function setInstance(
  { db, now, emit }: Writing,
  row: Row<'external_ip'>,
  instance_id: string | null,
): Promise<Row<'external_ip'>> {
  const changed = await db
    .updateTable('external_ip')
    .set({ instance_id, time_modified: now.toISOString() })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await emit('floating_ip', 'update', changed)
  return changed
}

function requireFree(row: Row<'external_ip'>, instance: Row<'instance'>): void {
  if (row.instance_id === null || row.instance_id === instance.id) return
  throw fail.invalidRequest(
    'floating IP cannot be attached to one instance while still attached to another',
  )
}

/** Attaches a floating address to an instance that is being created. */
export async function claimFloating(
  work: Writing,
  row: Row<'external_ip'>,
  instance: Row<'instance'>,
  primary: Row<'network_interface'> | undefined,
): Promise<Row<'external_ip'>> {
  requireFree(row, instance)
  requireStack('floating', ipVersionOf(row), instance, primary)
  return setInstance(work, row, instance.id)
}

/** Attaches a floating address to an instance; does nothing if it is already attached there. */
export async function attachFloating(
  work: Writing,
  row: Row<'external_ip'>,
  instance: Row<'instance'>,
): Promise<Row<'external_ip'>> {
  requireSameProject(row, instance)
  if (row.instance_id === instance.id) return row
  requireFree(row, instance)
  requireSettled('attach', 'floating', instance)
  await requireRoom(work.db, instance)
  const attached = await claimFloating(work, row, instance, await primaryOf(work.db, instance))
  await work.emit('instance', 'update', instance)
  return attached
}

/** Detaches a floating address from its instance; does nothing if it is not attached. */
export async function detachFloating(
  work: Writing,
  row: Row<'external_ip'>,
): Promise<Row<'external_ip'>> {
  if (row.instance_id === null) return row
  const instance = await readRow(work.db, 'instance', row.instance_id)
  requireSettled('detach', 'floating', instance)
  const detached = await setInstance(work, row, null)
  await work.emit('instance', 'update', instance)
  return detached
}

/** Frees the other addresses of an instance, and detaches its floating ones. */
export async function releaseExternalIps(work: Writing, instanceId: string): Promise<void> {
  const freed = await work.db
    .deleteFrom('external_ip')
    .where('instance_id', '=', instanceId)
    .where('kind', '!=', 'floating')
    .returning(['kind', 'ip_pool_id', 'ip_key', 'first_port'])
    .execute()
  await freeAddresses(work.db, freed)
  const floating = await work.db
    .selectFrom('external_ip')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .execute()
  for (const row of floating) await setInstance(work, row, null)
}
