import { SNAT_PORTS } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { addressOfKey } from '../addresses/keys.ts'
import { isOpen, takeOpening } from '../addresses/space.ts'
import { giveBackAddress, openPool, takeAddress } from '../ip-pools/addresses.ts'
import { defaultPool, type PoolRow } from './pools.ts'
import { named } from '../../../kernel/search/name-key.ts'

const snatPorts = Array.from({ length: 65536 / SNAT_PORTS }, (_, block) => block * SNAT_PORTS)

/** Stores the free blocks of ports of the shared addresses. */
export async function listFreeSnat(db: Db, poolId: string): Promise<void> {
  for (const first_port of snatPorts) {
    await db
      .insertInto('free_snat')
      .columns(['ip_pool_id', 'ip_key', 'first_port'])
      .expression((eb) =>
        eb
          .selectFrom('external_ip')
          .select([
            'ip_pool_id',
            'ip_key',
            sql<number>`cast(${first_port} as int)`.as('first_port'),
          ])
          .where('ip_pool_id', '=', poolId)
          .where('kind', '=', 'snat')
          .groupBy(['ip_pool_id', 'ip_key'])
          .having(sql`sum(case when first_port = ${first_port} then 1 else 0 end)`, '=', 0),
      )
      .execute()
  }
}

/** Gives back the addresses of removed rows. */
export async function freeAddresses(
  db: Db,
  rows: readonly Pick<Row<'external_ip'>, 'kind' | 'ip_pool_id' | 'ip_key' | 'first_port'>[],
): Promise<void> {
  for (const { kind, ip_pool_id, ip_key, first_port } of rows) {
    if (kind === 'snat') {
      const blocks = db
        .selectFrom('external_ip')
        .select('id')
        .where('ip_pool_id', '=', ip_pool_id)
        .where('ip_key', '=', ip_key)
      if (await blocks.limit(1).executeTakeFirst()) {
        if (!(await isOpen(db, ip_pool_id))) continue
        await db.insertInto('free_snat').values({ ip_pool_id, ip_key, first_port }).execute()
        continue
      }
      await db
        .deleteFrom('free_snat')
        .where('ip_pool_id', '=', ip_pool_id)
        .where('ip_key', '=', ip_key)
        .execute()
    }
    await giveBackAddress(db, ip_pool_id, ip_key)
  }
}

/** Takes the lowest free block of ports: preferably of an address that is already shared. */
export async function takeSnat(db: Db, pool: PoolRow): Promise<{ key: string; firstPort: number }> {
  const lowest = db
    .selectFrom('free_snat')
    .select(['ip_key', 'first_port'])
    .where('ip_pool_id', '=', pool.id)
    .orderBy('ip_key')
    .orderBy('first_port')
    .limit(1)
  const free = await takeOpening(
    () => lowest.executeTakeFirst(),
    () => openPool(db, pool),
  )
  if (free) {
    await db
      .deleteFrom('free_snat')
      .where('ip_pool_id', '=', pool.id)
      .where('ip_key', '=', free.ip_key)
      .where('first_port', '=', free.first_port)
      .execute()
    return { key: free.ip_key, firstPort: free.first_port }
  }
  const key = await takeAddress(db, pool)
  const [firstPort, ...others] = snatPorts
  await db
    .insertInto('free_snat')
    .values(others.map((first_port) => ({ ip_pool_id: pool.id, ip_key: key, first_port })))
    .execute()
  return { key, firstPort: firstPort! }
}

/** The columns of a row before an address is allocated. */
type NewAddress = Pick<Row<'external_ip'>, 'kind' | 'project_id' | 'instance_id'> &
  Partial<Pick<Row<'external_ip'>, 'name' | 'description' | 'first_port' | 'last_port'>>

/** Inserts the row of an address taken from a pool; with all its ports by default. */
export async function insertAddress(
  ctx: Pick<Writing, 'db' | 'now'>,
  pool: PoolRow,
  key: string,
  values: NewAddress,
): Promise<Row<'external_ip'>> {
  const time = ctx.now.toISOString()
  const row: Row<'external_ip'> = {
    id: crypto.randomUUID(),
    ip: addressOfKey(key, pool.ip_version),
    ip_key: key,
    ip_pool_id: pool.id,
    first_port: 0,
    last_port: 65535,
    description: null,
    ...values,
    ...named(values.name ?? null),
    time_created: time,
    time_modified: time,
  }
  await ctx.db.insertInto('external_ip').values(row).execute()
  return row
}

/**
 * Allocates outbound translation for an instance with IPv4: a quarter of the ports of one address.
 */
export async function allocateSnat(
  ctx: Pick<Writing, 'db' | 'now'>,
  siloId: string,
  { id: instance_id, project_id }: Row<'instance'>,
): Promise<void> {
  const pool = await defaultPool(ctx.db, siloId, 'v4')
  const { key, firstPort: first_port } = await takeSnat(ctx.db, pool)
  const ports = { first_port, last_port: first_port + SNAT_PORTS - 1 }
  await insertAddress(ctx, pool, key, { kind: 'snat', project_id, instance_id, ...ports })
}

export async function allocateEphemeral(
  ctx: Pick<Writing, 'db' | 'now'>,
  { id: instance_id, project_id }: Row<'instance'>,
  pool: PoolRow,
): Promise<Row<'external_ip'>> {
  const key = await takeAddress(ctx.db, pool)
  return insertAddress(ctx, pool, key, { kind: 'ephemeral', project_id, instance_id })
}
