import type { Context } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors.ts'
import { writeChange } from '../../kernel/events/outbox.ts'
import { instanceTouched } from '../instances/change.ts'
import type { InstanceRow } from '../instances/view.ts'
import type { NetworkInterfaceRow } from '../network-interfaces/view.ts'
import { ipVersionOf } from './address.ts'
import { primaryOf, requireRoom, requireSettled, requireStack } from './rules.ts'
import type { ExternalIpRow } from './view.ts'

export const floatingIpChanged = (
  db: Db,
  row: ExternalIpRow,
  action: 'create' | 'update' | 'delete',
  now: Date,
): Promise<void> =>
  writeChange(
    db,
    {
      resource: 'floating-ips',
      action,
      resource_id: row.id,
      name: row.name!,
      project_id: row.project_id,
    },
    now,
  )

/** Writes which instance a floating address leads to. */
async function lead(
  { db, now }: Pick<Context, 'db' | 'now'>,
  row: ExternalIpRow,
  instance_id: string | null,
): Promise<ExternalIpRow> {
  const changed = await db
    .updateTable('external_ip')
    .set({ instance_id, time_modified: now.toISOString() })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await floatingIpChanged(db, changed, 'update', now)
  return changed
}

function requireFree(row: ExternalIpRow, instance: InstanceRow): void {
  if (row.instance_id === null || row.instance_id === instance.id) return
  throw fail.invalidRequest(
    'floating IP cannot be attached to one instance while still attached to another',
  )
}

/** Points a floating address to an instance that is being made. */
export async function claimFloating(
  ctx: Context,
  row: ExternalIpRow,
  instance: InstanceRow,
  primary: NetworkInterfaceRow | undefined,
): Promise<ExternalIpRow> {
  requireFree(row, instance)
  requireStack('floating', ipVersionOf(row), instance, primary)
  return lead(ctx, row, instance.id)
}

/** Points a floating address to an instance; does nothing if it is there already. */
export async function attachFloating(
  ctx: Context,
  row: ExternalIpRow,
  instance: InstanceRow,
): Promise<ExternalIpRow> {
  if (row.project_id !== instance.project_id) {
    throw fail.invalidRequest('floating IP must be in the same project as the instance')
  }
  if (row.instance_id === instance.id) return row
  requireFree(row, instance)
  requireSettled('attach', 'floating', instance)
  await requireRoom(ctx.db, instance)
  const attached = await claimFloating(ctx, row, instance, await primaryOf(ctx.db, instance))
  await instanceTouched(ctx, instance)
  return attached
}

/** Takes a floating address from its instance; does nothing if it has none. */
export async function detachFloating(ctx: Context, row: ExternalIpRow): Promise<ExternalIpRow> {
  if (row.instance_id === null) return row
  const instance = await ctx.db
    .selectFrom('instance')
    .selectAll()
    .where('id', '=', row.instance_id)
    .executeTakeFirstOrThrow()
  requireSettled('detach', 'floating', instance)
  const detached = await lead(ctx, row, null)
  await instanceTouched(ctx, instance)
  return detached
}

/** Frees what dies with an instance and lets go of what does not. */
export async function releaseExternalIps(
  ctx: Pick<Context, 'db' | 'now'>,
  instanceId: string,
): Promise<void> {
  await ctx.db
    .deleteFrom('external_ip')
    .where('instance_id', '=', instanceId)
    .where('kind', '!=', 'floating')
    .execute()
  const floating = await ctx.db
    .selectFrom('external_ip')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .execute()
  for (const row of floating) await lead(ctx, row, null)
}
