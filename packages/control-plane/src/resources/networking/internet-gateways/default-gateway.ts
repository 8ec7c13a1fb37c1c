/** The default gateway of a new VPC, and the default pools of a silo that are attached to it. */
import type { Row } from '../../../kernel/kinds.ts'
import { named } from '../../../kernel/search/name-key.ts'
import type { Writing } from '../../../kernel/work.ts'
import './table.ts'

type Pool = Pick<Row<'ip_pool'>, 'id' | 'name' | 'ip_version'>

/** The name of the default gateway. */
export const DEFAULT_GATEWAY = 'default'

const newRow = (now: Date, name: string, description: string) => ({
  id: crypto.randomUUID(),
  name,
  description,
  time_created: now.toISOString(),
  time_modified: now.toISOString(),
  time_deleted: null,
})

const attachedPool = (now: Date, gatewayId: string, name: string, pool: Pool) => ({
  ...newRow(now, name, 'Automatically attached default IP pool'),
  internet_gateway_id: gatewayId,
  ip_pool_id: pool.id,
})

const defaultName = ({ ip_version }: Pool): string => `default-${ip_version}`

/** Creates the gateway of a new VPC, with the default pools of its silo (control plane 8.1). */
export async function createDefaultGateway(
  { db, now }: Pick<Writing, 'db' | 'now'>,
  vpcId: string,
  siloId: string,
): Promise<void> {
  const gateway = newRow(now, DEFAULT_GATEWAY, 'Automatically created default VPC gateway')
  await db
    .insertInto('internet_gateway')
    .values({ ...gateway, ...named(DEFAULT_GATEWAY), vpc_id: vpcId })
    .execute()
  const pools = await db
    .selectFrom('ip_pool_silo_link as link')
    .innerJoin('ip_pool as pool', 'pool.id', 'link.ip_pool_id')
    .select(['pool.id', 'pool.name', 'pool.ip_version'])
    .where('link.silo_id', '=', siloId)
    .where('link.is_default', '=', 1)
    .where('pool.pool_type', '=', 'unicast')
    .where('pool.time_deleted', 'is', null)
    .execute()
  for (const pool of pools) {
    await db
      .insertInto('internet_gateway_ip_pool')
      .values(attachedPool(now, gateway.id, defaultName(pool), pool))
      .execute()
  }
}

/**
 * Attaches a unicast pool that became a default of a silo to the default gateway of every VPC of
 * the silo (control plane 8.5), where it is not attached yet. Where an earlier default has the
 * usual name, the attachment is named after the pool.
 */
export async function attachDefaultPool(
  { db, now, emit }: Writing,
  siloId: string,
  pool: Pool,
): Promise<void> {
  const attached = await db
    .selectFrom('internet_gateway as gateway')
    .innerJoin('vpc', 'vpc.id', 'gateway.vpc_id')
    .innerJoin('project', 'project.id', 'vpc.project_id')
    .leftJoin('internet_gateway_ip_pool as attached', (join) =>
      join
        .onRef('attached.internet_gateway_id', '=', 'gateway.id')
        .on('attached.time_deleted', 'is', null),
    )
    .select(['gateway.id', 'vpc.project_id', 'attached.name', 'attached.ip_pool_id'])
    .where('project.silo_id', '=', siloId)
    .where('project.time_deleted', 'is', null)
    .where('gateway.name', '=', DEFAULT_GATEWAY)
    .where('gateway.time_deleted', 'is', null)
    .execute()
  for (const [gatewayId, pools] of Map.groupBy(attached, ({ id }) => id)) {
    if (pools.some(({ ip_pool_id }) => ip_pool_id === pool.id)) continue
    const taken = new Set(pools.map(({ name }) => name))
    const usual = defaultName(pool)
    const name = [usual, pool.name].find((one) => !taken.has(one)) ?? `${usual}-${pool.id}`
    const row = attachedPool(now, gatewayId, name, pool)
    await db.insertInto('internet_gateway_ip_pool').values(row).execute()
    await emit('internet_gateway_ip_pool', 'create', { ...row, project_id: pools[0]!.project_id })
  }
}
