import { DEFAULT_SUBNET_V4 } from '@steading/api/rules'
import type { Db } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors.ts'
import type { Row } from '../../kernel/kinds.ts'
import { named } from '../../kernel/search/name-key.ts'
import type { Writing } from '../../kernel/work.ts'
import { createDefaultRules } from '../firewall-rules/default-rules.ts'
import { createDefaultGateway, DEFAULT_GATEWAY } from '../internet-gateways/default-gateway.ts'
import { addSubnetRoute, createSystemRouter } from '../routers/system-routes.ts'

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
  const vpc: Row<'vpc'> = {
    ...born(params.name, params.description),
    ...named(params.name),
    project_id: project.id,
    system_router_id: crypto.randomUUID(),
    ipv6_prefix: params.ipv6_prefix ?? randomIpv6Prefix(),
    dns_name: params.dns_name,
    vni: await freeVni(db),
  }
  await db.insertInto('vpc').values(vpc).execute()
  await createDefaultGateway({ db, now }, vpc.id, project.silo_id)
  await createSystemRouter({ db, now }, vpc, DEFAULT_GATEWAY)

  const subnet = {
    ...born('default', `The default subnet for ${vpc.name}`),
    vpc_id: vpc.id,
    ipv4_block: DEFAULT_SUBNET_V4,
    ipv6_block: randomSubnetIpv6(vpc.ipv6_prefix),
    custom_router_id: null,
  }
  await db.insertInto('vpc_subnet').values(subnet).execute()
  await addSubnetRoute({ db, now }, vpc.system_router_id, subnet.name)

  await createDefaultRules({ db, now }, vpc)
  await emit('vpc', 'create', vpc)
  return vpc
}
