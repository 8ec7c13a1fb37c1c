import type { Wire } from '@steading/api'
import {
  addressBits,
  formatNetwork,
  lastAddress,
  memberProblem,
  parseNetwork,
  subnetPoolMessages,
} from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { type Page, tokenAfter } from '../../../kernel/paging.ts'
import type { Writing } from '../../../kernel/work.ts'
import { addBlocks } from '../addresses/blocks.ts'
import { addressKey } from '../addresses/keys.ts'
import { closeSpace } from '../addresses/space.ts'
import { isClaimed } from '../pools/blocks.ts'
import { emitPoolEvents } from '../pools/links.ts'
import { subnetPools } from './links.ts'
import type { SubnetPoolMemberRow } from './table.ts'
import { toWireMember } from './wire.ts'

type Pool = Row<'system_subnet_pool'>

/** The members of a pool, in the order of their addresses. */
export const membersOf = (db: Db, poolId: string) =>
  db
    .selectFrom('subnet_pool_member')
    .selectAll()
    .where('subnet_pool_id', '=', poolId)
    .orderBy('first_key')

/** A page of the members of a pool, in the order of their addresses. */
export async function pageOfMembers(
  { db, page }: { db: Db; page: Page },
  { id }: Pool,
): Promise<Wire.SubnetPoolMemberResultsPage> {
  let rows = membersOf(db, id).limit(page.limit)
  if (page.lastSeen !== undefined) rows = rows.where('first_key', '>', page.lastSeen)
  const members = await rows.execute()
  const last = members.at(-1)
  return {
    items: members.map(toWireMember),
    next_page: last ? tokenAfter(page, { last_seen: last.first_key }) : null,
  }
}

/**
 * @throws ApiError 400 for a network that a pool of this kind cannot have, or that overlaps with
 * another
 */
export async function addMember(
  writing: Writing,
  pool: Pool,
  { subnet, min_prefix_length, max_prefix_length }: Wire.SubnetPoolMemberAdd,
): Promise<SubnetPoolMemberRow> {
  const { db, now } = writing
  const network = parseNetwork(subnet)!
  const lengths = {
    min: min_prefix_length ?? network.width,
    max: max_prefix_length ?? addressBits[network.version],
  }
  const problem = memberProblem(pool, network, lengths)
  if (problem) throw fail.invalidRequest(problem)
  const canonical = formatNetwork(network)
  const first_key = addressKey(network)
  const last_key = addressKey(lastAddress(network))
  if (await isClaimed(db, { first_key, last_key })) {
    throw fail.invalidRequest(subnetPoolMessages.overlap(canonical))
  }
  const row: SubnetPoolMemberRow = {
    id: crypto.randomUUID(),
    subnet_pool_id: pool.id,
    subnet: canonical,
    first_key,
    last_key,
    min_prefix_length: lengths.min,
    max_prefix_length: lengths.max,
    time_created: now.toISOString(),
  }
  await db.insertInto('subnet_pool_member').values(row).execute()
  await addBlocks(db, row.id, { first_key, prefix_length: network.width })
  await emitPoolEvents(writing, subnetPools, pool, 'update')
  return row
}

/** @throws ApiError 400 for a network that the pool does not have, or with external subnets */
export async function removeMember(writing: Writing, pool: Pool, subnet: string): Promise<void> {
  const { db } = writing
  const canonical = formatNetwork(parseNetwork(subnet)!)
  const member = await db
    .selectFrom('subnet_pool_member')
    .select('id')
    .where('subnet_pool_id', '=', pool.id)
    .where('subnet', '=', canonical)
    .executeTakeFirst()
  if (!member) throw fail.invalidRequest(subnetPoolMessages.noMember(canonical))
  const used = await db
    .selectFrom('external_subnet')
    .select('id')
    .where('subnet_pool_member_id', '=', member.id)
    .limit(1)
    .executeTakeFirst()
  if (used) throw fail.invalidRequest(subnetPoolMessages.memberInUse)
  await db.deleteFrom('subnet_pool_member').where('id', '=', member.id).execute()
  await closeSpace(db, member.id)
  await emitPoolEvents(writing, subnetPools, pool, 'update')
}

/**
 * Removes all members of a pool.
 * @throws ApiError 400 if one has external subnets
 */
export async function removeMembers(writing: Writing, pool: Pool): Promise<void> {
  for (const { subnet } of await membersOf(writing.db, pool.id).execute()) {
    await removeMember(writing, pool, subnet)
  }
}
