/** Chooses the group that an instance joins (control plane 8.10): an existing or a new one. */
import {
  FLEET_ID,
  formatAddress,
  type IpVersion,
  isUuid,
  multicastGroupSelector,
  multicastMessages,
  type MulticastMode,
  multicastModeOf,
  multicastSourcesProblem,
  nameOfMulticastIp,
  parseAddress,
} from '@steading/api/rules'
import type { Wire } from '@steading/api'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { type LookupContext, lookup } from '../../../kernel/lookup.ts'
import { named } from '../../../kernel/search/name-key.ts'
import type { Writing } from '../../../kernel/work.ts'
import { addressKey, addressOfKey } from '../addresses/keys.ts'
import { linkedPoolOf, poolsOf, type PoolRow } from '../external-ips/pools.ts'
import { rangesOf, takeAddress, takeThisAddress } from '../ip-pools/addresses.ts'
import { poolUses } from '../ip-pools/utilization.ts'
import type { GroupRow } from './wire.ts'
import { unclaimed } from '../../../kernel/db/leases.ts'

export type ChooseContext = Writing & LookupContext<'multicast_group'>

const byText = (db: Db, selector: string) =>
  rowsOf(db, 'multicast_group')
    .select('its.id')
    .where(parseAddress(selector) ? 'its.multicast_ip' : 'its.name', '=', selector)
    .executeTakeFirst()

/** The group with a name, an id or an address; undefined if no group has the name or address. */
async function findGroup(
  context: LookupContext<'multicast_group'>,
  selector: string,
): Promise<GroupRow | undefined> {
  const id = isUuid(selector) ? selector : (await byText(context.db, selector))?.id
  return id === undefined ? undefined : lookup(context, 'multicast_group', id)
}

/** @throws ApiError 404 */
export const lookupGroup = async (
  context: LookupContext<'multicast_group'>,
  selector: string,
): Promise<GroupRow> =>
  (await findGroup(context, selector)) ?? lookup(context, 'multicast_group', selector)

function requireVersion(asked: IpVersion | null, version: IpVersion): void {
  if (asked !== null && asked !== version) {
    throw fail.invalidRequest(multicastMessages.otherVersion(asked, version))
  }
}

/** The mode of a pool, from its addresses; undefined while it has none. */
async function modeOf(db: Db, pool: PoolRow): Promise<MulticastMode | undefined> {
  const range = await rangesOf(db, pool.id).limit(1).executeTakeFirst()
  return range && multicastModeOf(addressOfKey(range.first_key, pool.ip_version))
}

/**
 * The pool of the silo for the address of a new group: among those with free addresses the default
 * one, then the one of IPv4, then the first by name.
 * @throws ApiError 400 if no pool of the silo is suitable
 */
async function choosePool(
  db: Db,
  siloId: string,
  version: IpVersion | undefined,
  hasSources: boolean,
): Promise<PoolRow> {
  const linked = await poolsOf(db, siloId)
    .where('pool.pool_type', '=', 'multicast')
    .$if(version !== undefined, (pools) => pools.where('pool.ip_version', '=', version!))
    .orderBy('link.is_default', 'desc')
    .orderBy('pool.ip_version')
    .orderBy('pool.name')
    .execute()
  const uses = await poolUses(db, linked)
  for (const mode of hasSources ? (['SSM', 'ASM'] as const) : (['ASM'] as const)) {
    const pools: PoolRow[] = []
    for (const pool of linked) if ((await modeOf(db, pool)) === mode) pools.push(pool)
    const hasRoom = ({ id }: PoolRow) => uses.get(id)!.allocated < uses.get(id)!.capacity
    const pool = pools.find(hasRoom) ?? pools[0]
    if (pool) return pool
  }
  throw fail.invalidRequest(multicastMessages.noPool('ASM', version))
}

/** Takes the address of a new group from a pool of the silo. */
async function takeFor(
  db: Db,
  siloId: string,
  { group, ip_version, source_ips }: Wire.MulticastGroupJoinSpec,
): Promise<{ pool: PoolRow; key: string }> {
  const address = parseAddress(group)
  if (!address) {
    const [source] = source_ips ?? []
    const version = ip_version ?? (source ? parseAddress(source)!.version : undefined)
    const pool = await choosePool(db, siloId, version, source !== undefined)
    return { pool, key: await takeAddress(db, pool) }
  }
  requireVersion(ip_version, address.version)
  const key = addressKey(address)
  const pool = await linkedPoolOf(db, siloId, address)
  if (!pool || !(await takeThisAddress(db, pool, key))) {
    throw fail.invalidRequest(multicastMessages.notInPool(formatAddress(address)))
  }
  return { pool, key }
}

/** A name for a group that was created by its address; another group may have the usual one. */
async function nameFor(db: Db, ip: string, id: string): Promise<string> {
  const name = nameOfMulticastIp(ip)
  return (await byText(db, name)) ? `${name}-${id.slice(0, 8)}` : name
}

async function createGroup(
  ctx: ChooseContext,
  siloId: string,
  spec: Wire.MulticastGroupJoinSpec,
): Promise<GroupRow> {
  const { pool, key } = await takeFor(ctx.db, siloId, spec)
  const id = crypto.randomUUID()
  const multicast_ip = addressOfKey(key, pool.ip_version)
  const problem = multicastSourcesProblem(multicast_ip, spec.source_ips ?? [])
  if (problem) throw fail.invalidRequest(problem)
  const time = ctx.now.toISOString()
  const row: GroupRow = {
    id,
    ...named(parseAddress(spec.group) ? await nameFor(ctx.db, multicast_ip, id) : spec.group),
    description: '',
    time_created: time,
    time_modified: time,
    fleet_id: FLEET_ID,
    multicast_ip,
    ip_key: key,
    ip_version: pool.ip_version,
    ip_pool_id: pool.id,
    state: 'Creating',
    generation: 1,
    reconcile_at: time,
    ...unclaimed,
  }
  await ctx.db.insertInto('multicast_group').values(row).execute()
  await ctx.emit('multicast_group', 'create', row)
  return row
}

/**
 * The group that an instance is to join; created if there is none.
 * @param siloId the silo of the instance, which has to be linked to the pool of the group
 * @throws ApiError 404 for an unknown id, 400 for a group that instances of the silo cannot join
 */
export async function chooseGroup(
  ctx: ChooseContext,
  siloId: string,
  asked: Wire.MulticastGroupJoinSpec,
): Promise<GroupRow> {
  const spec = { ...asked, group: multicastGroupSelector(asked.group) }
  const group = await findGroup(ctx, spec.group)
  if (!group) return createGroup(ctx, siloId, spec)
  requireVersion(spec.ip_version, group.ip_version)
  const pool = await poolsOf(ctx.db, siloId)
    .where('pool.id', '=', group.ip_pool_id)
    .executeTakeFirst()
  if (!pool) throw fail.invalidRequest(multicastMessages.notInPool(group.multicast_ip))
  return group
}
