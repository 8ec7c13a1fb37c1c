import { DEFAULT_SUBNET_V4 } from '@steading/api/rules'
import type { Db } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors.ts'
import type { Row } from '../../kernel/kinds.ts'
import type { Writing } from '../../kernel/work.ts'
import { createDefaultRules } from '../firewall-rules/default-rules.ts'

const hexGroups = (bytes: Uint8Array): string[] => {
  const groups: string[] = []
  for (let i = 0; i < bytes.length; i += 2) {
    groups.push(((bytes[i]! << 8) | bytes[i + 1]!).toString(16))
  }
  return groups
}

/** A random unique local prefix (RFC 4193), `fdXX:XXXX:XXXX::/48`. */
function randomIpv6Prefix(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(6))
  bytes[0] = 0xfd
  return `${hexGroups(bytes).join(':')}::/48`
}

/** A random /64 inside a /48. */
function randomSubnetIpv6(prefix: string): string {
  const [group] = hexGroups(crypto.getRandomValues(new Uint8Array(2)))
  return group === '0'
    ? `${prefix.replace('::/48', '')}::/64`
    : `${prefix.replace('::/48', '')}:${group}::/64`
}

const FIRST_GUEST_VNI = 1024
const MAX_VNI = 2 ** 24
const VNI_ATTEMPTS = 20

async function freeVni(db: Db): Promise<number> {
  for (let attempt = 0; attempt < VNI_ATTEMPTS; attempt++) {
    const [random] = crypto.getRandomValues(new Uint32Array(1))
    const vni = FIRST_GUEST_VNI + (random! % (MAX_VNI - FIRST_GUEST_VNI))
    const taken = await db
      .selectFrom('vpc')
      .select('id')
      .where('vni', '=', vni)
      .where('time_deleted', 'is', null)
      .executeTakeFirst()
    if (!taken) return vni
  }
  throw fail.insufficientCapacity('No free virtual network was found')
}

const ipNet = (value: string): string => JSON.stringify({ type: 'ip_net', value })

/**
 * Makes a VPC and everything that a new VPC has (control plane 8.1): system router with its default
 * routes, default subnet with its route, default gateway with the silo's default pools, firewall
 * rules.
 */
export async function createVpc(
  { db, now, emit }: Writing,
  project: Row<'project'>,
  params: { name: string; description: string; dns_name: string; ipv6_prefix?: string },
): Promise<Row<'vpc'>> {
  const time = now.toISOString()
  const born = (name: string, description: string) => ({
    id: crypto.randomUUID(),
    name,
    description,
    time_created: time,
    time_modified: time,
    time_deleted: null,
  })
  const router = born(
    'system',
    'Routes are automatically added to this router as vpc subnets are created',
  )
  const vpc: Row<'vpc'> = {
    ...born(params.name, params.description),
    project_id: project.id,
    system_router_id: router.id,
    ipv6_prefix: params.ipv6_prefix ?? randomIpv6Prefix(),
    dns_name: params.dns_name,
    vni: await freeVni(db),
  }
  await db.insertInto('vpc').values(vpc).execute()
  await db
    .insertInto('vpc_router')
    .values({ ...router, vpc_id: vpc.id, kind: 'system' })
    .execute()

  const subnet = {
    ...born('default', `The default subnet for ${vpc.name}`),
    vpc_id: vpc.id,
    ipv4_block: DEFAULT_SUBNET_V4,
    ipv6_block: randomSubnetIpv6(vpc.ipv6_prefix),
    custom_router_id: null,
  }
  await db.insertInto('vpc_subnet').values(subnet).execute()

  const gateway = born('default', 'Automatically created default VPC gateway')
  await db
    .insertInto('internet_gateway')
    .values({ ...gateway, vpc_id: vpc.id })
    .execute()
  const toGateway = JSON.stringify({ type: 'internet_gateway', value: gateway.name })
  const toSubnet = JSON.stringify({ type: 'subnet', value: subnet.name })
  await db
    .insertInto('router_route')
    .values([
      {
        ...born('default-v4', 'The default route of a vpc'),
        vpc_router_id: router.id,
        kind: 'default',
        target: toGateway,
        destination: ipNet('0.0.0.0/0'),
      },
      {
        ...born('default-v6', 'The default route of a vpc'),
        vpc_router_id: router.id,
        kind: 'default',
        target: toGateway,
        destination: ipNet('::/0'),
      },
      {
        ...born(subnet.name, `VPC Subnet route for '${subnet.name}'`),
        vpc_router_id: router.id,
        kind: 'vpc_subnet',
        target: toSubnet,
        destination: toSubnet,
      },
    ])
    .execute()

  const defaultPools = await db
    .selectFrom('ip_pool_silo_link as link')
    .innerJoin('ip_pool as pool', 'pool.id', 'link.ip_pool_id')
    .select(['pool.id', 'pool.ip_version'])
    .where('link.silo_id', '=', project.silo_id)
    .where('link.is_default', '=', 1)
    .where('pool.pool_type', '=', 'unicast')
    .where('pool.time_deleted', 'is', null)
    .execute()
  for (const pool of defaultPools) {
    await db
      .insertInto('internet_gateway_ip_pool')
      .values({
        ...born(`default-${pool.ip_version}`, 'Automatically attached default IP pool'),
        internet_gateway_id: gateway.id,
        ip_pool_id: pool.id,
      })
      .execute()
  }

  await createDefaultRules({ db, now }, vpc)
  await emit('vpc', 'create', vpc)
  return vpc
}
