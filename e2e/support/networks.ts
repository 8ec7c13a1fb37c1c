/** Networks that only operators can create, written to the database. */
import { randomUUID } from 'node:crypto'
import type { ApiClient, IpVersion } from '@steading/api/client'
import { parseAddress } from '@steading/api/rules'
import { addressKey } from '../../packages/control-plane/src/resources/networking/addresses/keys.ts'
import { named } from '../../packages/control-plane/src/kernel/search/name-key.ts'
import { addSubnetPool as storeSubnetPool } from '../../packages/control-plane/test/support/networks.ts'
import type { Host } from './host.ts'
import { ok } from './seed.ts'

const born = (name: string, description: string) => {
  const time = new Date().toISOString()
  return {
    id: randomUUID(),
    name,
    description,
    time_created: time,
    time_modified: time,
    time_deleted: null,
  }
}

type Pool = {
  ipVersion?: IpVersion
  isDefault?: boolean
  /** Nothing can be allocated without a range. */
  range?: [first: string, last: string]
  poolType?: 'unicast' | 'multicast'
}

/** An IP pool, linked to the first silo. */
export async function addPool({ server }: Host, name: string, pool: Pool = {}): Promise<void> {
  const { ipVersion = 'v4', isDefault = false, range, poolType = 'unicast' } = pool
  const { db } = server.controlPlane.database
  const { id: siloId } = await db.selectFrom('silo').select('id').executeTakeFirstOrThrow()
  const identity = born(name, `Addresses of ${name}`)
  await db
    .insertInto('ip_pool')
    .values({ ...identity, ...named(name), ip_version: ipVersion, pool_type: poolType })
    .execute()
  if (range) {
    const [first_key, last_key] = range.map((ip) => addressKey(parseAddress(ip)!)) as [
      string,
      string,
    ]
    await db
      .insertInto('ip_pool_range')
      .values({
        id: randomUUID(),
        ip_pool_id: identity.id,
        first_key,
        last_key,
        time_created: identity.time_created,
      })
      .execute()
  }
  await db
    .insertInto('ip_pool_silo_link')
    .values({ ip_pool_id: identity.id, silo_id: siloId, is_default: isDefault ? 1 : 0 })
    .execute()
}

/** A subnet pool, linked to the first silo; IPv4 unless its members differ. */
export async function addSubnetPool(
  { server }: Host,
  name: string,
  members: string[],
  { isDefault }: { isDefault?: boolean } = {},
): Promise<void> {
  const { db } = server.controlPlane.database
  const { id: siloId } = await db.selectFrom('silo').select('id').executeTakeFirstOrThrow()
  await storeSubnetPool(db, name, members, { siloId, isDefault })
}

/** A second subnet of the VPC of a new project. */
export const addSubnet = (
  api: ApiClient,
  project: string,
  name: string,
  ipv4Block: string,
): Promise<unknown> =>
  ok(
    api.vpcSubnetCreate({
      query: { project, vpc: 'default' },
      body: { name, description: '', ipv4Block },
    }),
  )
