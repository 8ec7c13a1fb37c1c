import { parseNetwork, subnetV4Problem, subnetV6Problem } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { requireFreeName } from '../../../kernel/lookup.ts'
import { insertNamed } from '../../../kernel/named-rows.ts'
import type { Writing } from '../../../kernel/work.ts'
import { addSubnetRoute } from '../routers/system-routes.ts'
import { blockKeys, freeIpv6Block, requireFreeBlock } from './blocks.ts'

interface Values {
  name: string
  description: string
  ipv4_block: string
  /** A random one by default. */
  ipv6_block?: string | null | undefined
  custom_router_id?: string | null
}

const refuse = (problem: string | undefined): void => {
  if (problem) throw fail.invalidRequest(problem)
}

/**
 * Creates a subnet, and the system router's route to it (control plane 8.2).
 * @throws ApiError 400 if its name is taken, or its blocks do not fit the VPC
 */
export async function createSubnet(
  work: Writing,
  vpc: Row<'vpc'>,
  { name, description, ipv4_block, ipv6_block, custom_router_id = null }: Values,
): Promise<Row<'vpc_subnet'>> {
  const { db } = work
  const ipv4 = parseNetwork(ipv4_block)!
  const prefix = parseNetwork(vpc.ipv6_prefix)!
  refuse(subnetV4Problem(ipv4))
  if (ipv6_block) refuse(subnetV6Problem(parseNetwork(ipv6_block)!, prefix))
  await requireFreeName(db, 'vpc_subnet', vpc.id, name)
  await requireFreeBlock(db, vpc.id, ipv4)
  if (ipv6_block) await requireFreeBlock(db, vpc.id, parseNetwork(ipv6_block)!)
  const blocks = {
    ipv4_block,
    ipv6_block: ipv6_block ?? (await freeIpv6Block(db, vpc.id, prefix)),
  }
  const columns = { vpc_id: vpc.id, ...blocks, ...blockKeys(blocks), custom_router_id }
  const subnet = await insertNamed(work, 'vpc_subnet', { name, description }, columns, {
    project_id: vpc.project_id,
  })
  await addSubnetRoute(work, vpc.system_router_id, name)
  return subnet
}
