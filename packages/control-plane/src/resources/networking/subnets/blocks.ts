/** The blocks of the subnets of a VPC, which must not overlap. */
import {
  formatNetwork,
  lastAddress,
  type Network,
  networkAddress,
  parseNetwork,
  subnetConflict,
  SUBNET_V6_WIDTH,
} from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { addressKey } from '../addresses/keys.ts'

/** Number of attempts to draw a random IPv6 block. */
const ATTEMPTS = 3

/** The keys of the first and the last address of a block. */
const endsOf = (block: Network): [first: string, last: string] => [
  addressKey(networkAddress(block)),
  addressKey(lastAddress(block)),
]

/** The columns for finding overlaps. */
export function blockKeys({ ipv4_block, ipv6_block }: Record<'ipv4_block' | 'ipv6_block', string>) {
  const [ipv4_first, ipv4_last] = endsOf(parseNetwork(ipv4_block)!)
  const [ipv6_first, ipv6_last] = endsOf(parseNetwork(ipv6_block)!)
  return { ipv4_first, ipv4_last, ipv6_first, ipv6_last }
}

/**
 * Whether a block overlaps with a subnet of a VPC. As the subnets do not overlap with each other,
 * only the last one that begins before the end of the block can.
 */
async function overlaps(db: Db, vpcId: string, block: Network): Promise<boolean> {
  const [first, last] = endsOf(block)
  const its = block.version === 'v4' ? 'ipv4' : 'ipv6'
  const below = await db
    .selectFrom('vpc_subnet')
    .select(`${its}_last as last`)
    .where('vpc_id', '=', vpcId)
    .where('time_deleted', 'is', null)
    .where(`${its}_first`, '<=', last)
    .orderBy(`${its}_first`, 'desc')
    .limit(1)
    .executeTakeFirst()
  return below !== undefined && below.last >= first
}

/** @throws ApiError 400 if the block overlaps with a subnet of the VPC */
export async function requireFreeBlock(db: Db, vpcId: string, block: Network): Promise<void> {
  if (await overlaps(db, vpcId, block)) throw fail.invalidRequest(subnetConflict(block))
}

/** A random block of a prefix. */
function randomBlock(prefix: Network): Network {
  const [random] = crypto.getRandomValues(new Uint16Array(1))
  const value = networkAddress(prefix).value | (BigInt(random!) << 64n)
  return { version: 'v6', value, width: SUBNET_V6_WIDTH }
}

/** @returns a block of the prefix of a VPC that is unused by its subnets */
export async function freeIpv6Block(db: Db, vpcId: string, prefix: Network): Promise<string> {
  let block = randomBlock(prefix)
  for (let attempt = 1; await overlaps(db, vpcId, block); attempt++) {
    if (attempt === ATTEMPTS) throw fail.invalidRequest(subnetConflict(block))
    block = randomBlock(prefix)
  }
  return formatNetwork(block)
}
