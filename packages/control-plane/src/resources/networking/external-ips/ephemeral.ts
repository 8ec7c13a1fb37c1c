import type { Wire } from '@steading/api'
import type { IpVersion } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Work, Writing } from '../../../kernel/work.ts'
import { ipVersionOf } from '../addresses/keys.ts'
import { allocateEphemeral, freeAddresses } from './allocate.ts'
import { selectPool } from './pools.ts'
import { primaryOf, requireRoom, requireSettled, requireStack } from './rules.ts'

const ephemeralOf = (db: Db, instance: Row<'instance'>): Promise<Row<'external_ip'>[]> =>
  db
    .selectFrom('external_ip')
    .selectAll()
    .where('instance_id', '=', instance.id)
    .where('kind', '=', 'ephemeral')
    .execute()

async function changed(
  { emit }: Writing,
  instance: Row<'instance'>,
  row: Row<'external_ip'>,
  action: 'create' | 'delete',
): Promise<void> {
  await emit('external_ip', action, { ...row, name: row.ip })
  await emit('instance', 'update', instance)
}

/** Gives an instance an ephemeral address of a pool; does nothing if it has one of that version. */
export async function attachEphemeral(
  work: Work,
  instance: Row<'instance'>,
  selector: Wire.PoolSelector,
): Promise<Row<'external_ip'>> {
  const { db } = work
  const pool = await selectPool(db, work.actor.siloId, selector)
  const held = await ephemeralOf(db, instance)
  const same = held.find((row) => ipVersionOf(row) === pool.ip_version)
  if (same) return same
  requireSettled('attach', 'ephemeral', instance)
  await requireRoom(db, instance)
  requireStack('ephemeral', pool.ip_version, instance, await primaryOf(db, instance))
  const row = await allocateEphemeral(work, instance, pool)
  await changed(work, instance, row, 'create')
  return row
}

/** Detaches an ephemeral address from an instance, which frees it. */
export async function detachEphemeral(
  work: Writing,
  instance: Row<'instance'>,
  version: IpVersion | undefined,
): Promise<void> {
  const held = (await ephemeralOf(work.db, instance)).filter(
    (row) => version === undefined || ipVersionOf(row) === version,
  )
  const [row, another] = held
  if (!row) throw fail.invalidRequest('instance does not have an ephemeral IP attached')
  if (another) {
    throw fail.invalidRequest(
      'instance has two ephemeral IPs; specify ip_version to select which to detach',
    )
  }
  requireSettled('detach', 'ephemeral', instance)
  await work.db.deleteFrom('external_ip').where('id', '=', row.id).execute()
  await freeAddresses(work.db, [row])
  await changed(work, instance, row, 'delete')
}
