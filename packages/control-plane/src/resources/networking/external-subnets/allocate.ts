import type { Wire } from '@steading/api'
import {
  externalSubnetMessages,
  lastAddress,
  networkAddress,
  parseNetwork,
} from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Work } from '../../../kernel/work.ts'
import { type Row } from '../../../kernel/kinds.ts'
import { readRow } from '../../../kernel/db/rows.ts'
import {
  type Block,
  giveBackBlock,
  hasFree,
  takeBlock,
  takeLowestBlock,
} from '../addresses/blocks.ts'
import { addressKey } from '../addresses/keys.ts'
import { chooseSubnetPool, memberAround } from '../subnet-pools/choose.ts'
import type { SubnetPoolMemberRow } from '../subnet-pools/table.ts'

/** A network that was taken from a member of a pool. */
export interface Allocated {
  member: SubnetPoolMemberRow
  block: Block
}

/** Takes the lowest free subnet of a length from a pool of the caller's silo. */
async function takeNext(
  { db, actor }: Pick<Work, 'db' | 'actor'>,
  { prefix_length, pool_selector }: Extract<Wire.ExternalSubnetAllocator, { type: 'auto' }>,
): Promise<Allocated> {
  const { pool, called } = await chooseSubnetPool(db, actor.siloId, pool_selector)
  const member = await db
    .selectFrom('subnet_pool_member as member')
    .selectAll()
    .where('subnet_pool_id', '=', pool.id)
    .where('min_prefix_length', '<=', prefix_length)
    .where('max_prefix_length', '>=', prefix_length)
    .where(hasFree('member.id', prefix_length))
    .orderBy('first_key')
    .limit(1)
    .executeTakeFirst()
  const block = member && (await takeLowestBlock(db, member.id, prefix_length))
  if (!block) throw fail.invalidRequest(externalSubnetMessages.exhausted(prefix_length, called))
  return { member, block }
}

/** Takes the requested subnet. */
async function takeThis(
  { db, actor }: Pick<Work, 'db' | 'actor'>,
  subnet: string,
): Promise<Allocated> {
  const network = parseNetwork(subnet)!
  if (networkAddress(network).value !== network.value) {
    throw fail.invalidRequest(externalSubnetMessages.hostBits)
  }
  const first_key = addressKey(network)
  const range = { first_key, last_key: addressKey(lastAddress(network)) }
  const member = await memberAround(db, actor.siloId, network.version, range)
  if (!member) throw fail.invalidRequest(externalSubnetMessages.notContained)
  const { min_prefix_length: min, max_prefix_length: max } = member
  if (network.width < min || network.width > max) {
    throw fail.invalidRequest(externalSubnetMessages.length(min, max))
  }
  const block = { first_key, prefix_length: network.width }
  if (await takeBlock(db, member.id, block)) return { member, block }
  throw fail.invalidRequest(externalSubnetMessages.overlaps)
}

/**
 * Takes a subnet for the body of a new external subnet.
 * @throws ApiError 400 if there is none, or no pool has it; 404 for a pool not linked to the silo
 */
export const allocateSubnet = (
  work: Pick<Work, 'db' | 'actor'>,
  allocator: Wire.ExternalSubnetAllocator,
): Promise<Allocated> =>
  allocator.type === 'auto' ? takeNext(work, allocator) : takeThis(work, allocator.subnet)

/** Gives back the subnet of a removed row. */
export async function freeSubnet(db: Db, row: Row<'external_subnet'>): Promise<void> {
  const { subnet } = await readRow(db, 'subnet_pool_member', row.subnet_pool_member_id, 'subnet')
  await giveBackBlock(db, row.subnet_pool_member_id, row, parseNetwork(subnet)!.width)
}
