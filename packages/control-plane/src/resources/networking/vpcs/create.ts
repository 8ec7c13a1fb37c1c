import { DEFAULT_SUBNET_V4, formatNetwork, VPC_PREFIX_WIDTH } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { insertNamed } from '../../../kernel/named-rows.ts'
import type { Writing } from '../../../kernel/work.ts'
import { createDefaultRules } from '../firewall-rules/default-rules.ts'
import { createDefaultGateway, DEFAULT_GATEWAY } from '../internet-gateways/default-gateway.ts'
import { createSystemRouter } from '../routers/system-routes.ts'
import { createSubnet } from '../subnets/create.ts'

/** A random unique local prefix (RFC 4193), `fdXX:XXXX:XXXX::/48`. */
function randomIpv6Prefix(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(6))
  bytes[0] = 0xfd
  const value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n) << 80n
  return formatNetwork({ version: 'v6', value, width: VPC_PREFIX_WIDTH })
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
 * Creates a VPC and its initial contents (control plane 8.1): system router with its default
 * routes, default subnet with its route, default gateway with the silo's default pools, firewall
 * rules.
 */
export async function createVpc(
  work: Writing,
  project: Row<'project'>,
  params: { name: string; description: string; dns_name: string; ipv6_prefix?: string },
): Promise<Row<'vpc'>> {
  const vpc = await insertNamed(work, 'vpc', params, {
    project_id: project.id,
    system_router_id: crypto.randomUUID(),
    ipv6_prefix: params.ipv6_prefix ?? randomIpv6Prefix(),
    dns_name: params.dns_name,
    vni: await freeVni(work.db),
  })
  await createDefaultGateway(work, vpc.id, project.silo_id)
  await createSystemRouter(work, vpc, DEFAULT_GATEWAY)
  await createDefaultRules(work, vpc)
  await createSubnet(work, vpc, {
    name: 'default',
    description: `The default subnet for ${vpc.name}`,
    ipv4_block: DEFAULT_SUBNET_V4,
  })
  return vpc
}
