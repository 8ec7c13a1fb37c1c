import type { Wire } from '@steading/api'
import type { IpVersion } from '@steading/api/rules'
import type { Context } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors.ts'
import { instanceTouched } from '../instances/change.ts'
import type { InstanceRow } from '../instances/view.ts'
import { ipVersionOf } from './address.ts'
import { allocateEphemeral } from './allocate.ts'
import { selectPool } from './pools.ts'
import { primaryOf, requireRoom, requireSettled, requireStack } from './rules.ts'
import type { ExternalIpRow } from './view.ts'

const ephemeralOf = (db: Db, instance: InstanceRow): Promise<ExternalIpRow[]> =>
  db
    .selectFrom('external_ip')
    .selectAll()
    .where('instance_id', '=', instance.id)
    .where('kind', '=', 'ephemeral')
    .execute()

async function changed(
  ctx: Context,
  instance: InstanceRow,
  row: ExternalIpRow,
  action: 'create' | 'delete',
): Promise<void> {
  await ctx.emit({
    resource: 'external-ips',
    action,
    resource_id: row.id,
    name: row.ip,
    project_id: row.project_id,
  })
  await instanceTouched(ctx, instance)
}

/** Gives an instance an address of a pool; one of that version that it has already is enough. */
export async function attachEphemeral(
  ctx: Context,
  instance: InstanceRow,
  selector: Wire.PoolSelector,
): Promise<ExternalIpRow> {
  const { db } = ctx
  const pool = await selectPool(db, ctx.actor.siloId, selector)
  const held = await ephemeralOf(db, instance)
  const same = held.find((row) => ipVersionOf(row) === pool.ip_version)
  if (same) return same
  requireSettled('attach', 'ephemeral', instance)
  await requireRoom(db, instance)
  requireStack('ephemeral', pool.ip_version, instance, await primaryOf(db, instance))
  const row = await allocateEphemeral(ctx, instance, pool)
  await changed(ctx, instance, row, 'create')
  return row
}

/** Takes an ephemeral address away from an instance, which frees it. */
export async function detachEphemeral(
  ctx: Context,
  instance: InstanceRow,
  version: IpVersion | undefined,
): Promise<void> {
  const held = (await ephemeralOf(ctx.db, instance)).filter(
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
  await ctx.db.deleteFrom('external_ip').where('id', '=', row.id).execute()
  await changed(ctx, instance, row, 'delete')
}
