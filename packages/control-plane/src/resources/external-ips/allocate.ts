import { SNAT_PORTS } from '@steading/api/rules'
import type { Db } from '../../kernel/db/database.ts'
import type { Row } from '../../kernel/kinds.ts'
import type { Writing } from '../../kernel/work.ts'
import { addressOfKey } from './address.ts'
import { defaultPool, freeAddress, type PoolRow } from './pools.ts'
import type { ExternalIpRow } from './view.ts'

/** Room for one more on an address that is shared by port ranges already, lowest first. */
async function sharedAddress(
  db: Db,
  pool: PoolRow,
): Promise<{ key: string; firstPort: number } | undefined> {
  const perAddress = 65536 / SNAT_PORTS
  const shared = await db
    .selectFrom('external_ip')
    .select('ip_key')
    .where('ip_pool_id', '=', pool.id)
    .where('kind', '=', 'snat')
    .groupBy('ip_key')
    .having((eb) => eb(eb.fn.countAll(), '<', perAddress))
    .orderBy('ip_key')
    .limit(1)
    .executeTakeFirst()
  if (!shared) return undefined
  const rows = await db
    .selectFrom('external_ip')
    .select('first_port')
    .where('ip_pool_id', '=', pool.id)
    .where('ip_key', '=', shared.ip_key)
    .execute()
  const taken = new Set(rows.map(({ first_port }) => first_port))
  for (let firstPort = 0; firstPort < 65536; firstPort += SNAT_PORTS) {
    if (!taken.has(firstPort)) return { key: shared.ip_key, firstPort }
  }
  return undefined
}

/** What is known of an address before it has one. */
type NewAddress = Pick<ExternalIpRow, 'kind' | 'project_id' | 'instance_id'> &
  Partial<Pick<ExternalIpRow, 'name' | 'description' | 'first_port' | 'last_port'>>

/** Takes an address of a pool; all its ports unless told otherwise. */
export async function insertAddress(
  ctx: Pick<Writing, 'db' | 'now'>,
  pool: PoolRow,
  key: string,
  values: NewAddress,
): Promise<ExternalIpRow> {
  const time = ctx.now.toISOString()
  const row: ExternalIpRow = {
    id: crypto.randomUUID(),
    ip: addressOfKey(key, pool.ip_version),
    ip_key: key,
    ip_pool_id: pool.id,
    first_port: 0,
    last_port: 65535,
    name: null,
    description: null,
    ...values,
    time_created: time,
    time_modified: time,
  }
  await ctx.db.insertInto('external_ip').values(row).execute()
  return row
}

/** Outbound translation for instances with IPv4: a quarter of the ports of one address. */
export async function allocateSnat(
  ctx: Pick<Writing, 'db' | 'now'>,
  siloId: string,
  { id: instance_id, project_id }: Row<'instance'>,
): Promise<void> {
  const pool = await defaultPool(ctx.db, siloId, 'v4')
  const shared = await sharedAddress(ctx.db, pool)
  const key = shared?.key ?? (await freeAddress(ctx.db, pool))
  const first_port = shared?.firstPort ?? 0
  const ports = { first_port, last_port: first_port + SNAT_PORTS - 1 }
  await insertAddress(ctx, pool, key, { kind: 'snat', project_id, instance_id, ...ports })
}

export async function allocateEphemeral(
  ctx: Pick<Writing, 'db' | 'now'>,
  { id: instance_id, project_id }: Row<'instance'>,
  pool: PoolRow,
): Promise<ExternalIpRow> {
  const key = await freeAddress(ctx.db, pool)
  return insertAddress(ctx, pool, key, { kind: 'ephemeral', project_id, instance_id })
}
