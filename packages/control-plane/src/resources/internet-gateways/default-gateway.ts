import type { Writing } from '../../kernel/work.ts'
import './table.ts'

/** The name of the gateway that each new VPC has. */
export const DEFAULT_GATEWAY = 'default'

const born = (now: Date, name: string, description: string) => ({
  id: crypto.randomUUID(),
  name,
  description,
  time_created: now.toISOString(),
  time_modified: now.toISOString(),
  time_deleted: null,
})

/** Makes the gateway of a new VPC, with the default pools of its silo (control plane 8.1). */
export async function createDefaultGateway(
  { db, now }: Pick<Writing, 'db' | 'now'>,
  vpcId: string,
  siloId: string,
): Promise<void> {
  const gateway = born(now, DEFAULT_GATEWAY, 'Automatically created default VPC gateway')
  await db
    .insertInto('internet_gateway')
    .values({ ...gateway, vpc_id: vpcId })
    .execute()
  const defaultPools = await db
    .selectFrom('ip_pool_silo_link as link')
    .innerJoin('ip_pool as pool', 'pool.id', 'link.ip_pool_id')
    .select(['pool.id', 'pool.ip_version'])
    .where('link.silo_id', '=', siloId)
    .where('link.is_default', '=', 1)
    .where('pool.pool_type', '=', 'unicast')
    .where('pool.time_deleted', 'is', null)
    .execute()
  for (const pool of defaultPools) {
    await db
      .insertInto('internet_gateway_ip_pool')
      .values({
        ...born(now, `default-${pool.ip_version}`, 'Automatically attached default IP pool'),
        internet_gateway_id: gateway.id,
        ip_pool_id: pool.id,
      })
      .execute()
  }
}
