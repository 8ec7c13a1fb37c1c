/** Networks and pools that the API cannot create yet, inserted directly into the database. */
import type { Wire } from '@steading/api'
import { lastAddress, addressBits, parseAddress, parseNetwork } from '@steading/api/rules'
import type { Db } from '../../src/kernel/db/database.ts'
import { named } from '../../src/kernel/search/name-key.ts'
import { addBlocks } from '../../src/resources/networking/addresses/blocks.ts'
import { blockKeys } from '../../src/resources/networking/subnets/blocks.ts'
import { addressKey } from '../../src/resources/networking/addresses/keys.ts'

const identity = (name: string) => {
  const time = new Date().toISOString()
  return {
    id: crypto.randomUUID(),
    name,
    description: '',
    time_created: time,
    time_modified: time,
    time_deleted: null,
  }
}

/** A VPC without subnets. */
export async function addVpc(db: Db, project_id: string, name: string): Promise<string> {
  const [{ count }] = (await db
    .selectFrom('vpc')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .execute()) as [{ count: number }]
  const row = {
    ...identity(name),
    ...named(name),
    project_id,
    system_router_id: crypto.randomUUID(),
    ipv6_prefix: 'fd00:1::/48',
    dns_name: name,
    // In all likelihood beyond the random ones.
    vni: 2 ** 24 + Number(count),
  }
  await db.insertInto('vpc').values(row).execute()
  return row.id
}

/** A subnet, numbered so that several in a VPC do not overlap. */
export async function addSubnet(
  db: Db,
  vpc_id: string,
  name: string,
  number: number,
): Promise<string> {
  const blocks = {
    ipv4_block: `10.0.${number}.0/24`,
    ipv6_block: `fd00:1:0:${number.toString(16)}::/64`,
  }
  const row = {
    ...identity(name),
    ...named(name),
    vpc_id,
    ...blocks,
    ...blockKeys(blocks),
    custom_router_id: null,
  }
  await db.insertInto('vpc_subnet').values(row).execute()
  return row.id
}

export interface PoolValues {
  ip_version?: Wire.IpVersion
  pool_type?: Wire.IpPoolType
  first: string
  last: string
  /** The silo it is linked to. */
  siloId?: string
  isDefault?: boolean
}

/** A pool of one range. */
export async function addPool(db: Db, name: string, values: PoolValues): Promise<string> {
  const { ip_version = 'v4', pool_type = 'unicast', first, last, siloId, isDefault } = values
  const pool = { ...identity(name), ...named(name), ip_version, pool_type }
  await db.insertInto('ip_pool').values(pool).execute()
  await db
    .insertInto('ip_pool_range')
    .values({
      id: crypto.randomUUID(),
      ip_pool_id: pool.id,
      first_key: addressKey(parseAddress(first)!),
      last_key: addressKey(parseAddress(last)!),
      time_created: pool.time_created,
    })
    .execute()
  if (siloId) {
    await db
      .insertInto('ip_pool_silo_link')
      .values({ ip_pool_id: pool.id, silo_id: siloId, is_default: isDefault ? 1 : 0 })
      .execute()
  }
  return pool.id
}

/** A subnet pool with members: the network, and the lengths permitted for its subnets. */
export async function addSubnetPool(
  db: Db,
  name: string,
  members: (string | [subnet: string, min: number, max: number])[],
  { siloId, isDefault }: Pick<PoolValues, 'siloId' | 'isDefault'> = {},
): Promise<string> {
  const networks = members.map((member) => {
    const [subnet, min, max] = typeof member === 'string' ? [member] : member
    const network = parseNetwork(subnet)!
    return {
      subnet,
      network,
      min: min ?? network.width,
      max: max ?? addressBits[network.version],
    }
  })
  const pool = {
    ...identity(name),
    ...named(name),
    ip_version: networks[0]?.network.version ?? 'v4',
  }
  await db.insertInto('subnet_pool').values(pool).execute()
  for (const { subnet, network, min, max } of networks) {
    const id = crypto.randomUUID()
    const first_key = addressKey(network)
    const row = {
      id,
      subnet_pool_id: pool.id,
      subnet,
      first_key,
      last_key: addressKey(lastAddress(network)),
      min_prefix_length: min,
      max_prefix_length: max,
      time_created: pool.time_created,
    }
    await db.insertInto('subnet_pool_member').values(row).execute()
    await addBlocks(db, id, { first_key, prefix_length: network.width })
  }
  if (siloId) {
    await db
      .insertInto('subnet_pool_silo_link')
      .values({ subnet_pool_id: pool.id, silo_id: siloId, is_default: isDefault ? 1 : 0 })
      .execute()
  }
  return pool.id
}
