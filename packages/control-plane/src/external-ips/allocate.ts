import type { Wire } from '@steading/api'
import {
  type Address,
  formatAddress,
  type IpVersion,
  isUuid,
  SNAT_PORTS,
} from '@steading/api/rules'
import type { Selectable } from 'kysely'
import type { Context } from '../context.ts'
import type { Db } from '../db/database.ts'
import type { ExternalIpTable, IpPoolTable } from '../db/schema.ts'
import { fail } from '../http/errors.ts'
import type { InstanceRow } from '../instances/view.ts'
import type { NetworkInterfaceRow } from '../network-interfaces/create.ts'
import type { ProjectRow } from '../projects/lookup.ts'

export type ExternalIpRow = Selectable<ExternalIpTable>
type PoolRow = Selectable<IpPoolTable>

const keyLength = { v4: 8, v6: 32 } as const

/** Fixed-width hex of an address: text order is address order. */
export const addressKey = ({ version, value }: Address): string =>
  value.toString(16).padStart(keyLength[version], '0')
const fromKey = (key: string, version: IpVersion): string =>
  formatAddress({ version, value: BigInt(`0x${key}`) })
const after = (key: string): string =>
  (BigInt(`0x${key}`) + 1n).toString(16).padStart(key.length, '0')

const versionName = { v4: 'IPv4', v6: 'IPv6' } as const

function poolsOf(db: Db, siloId: string) {
  return db
    .selectFrom('ip_pool as pool')
    .innerJoin('ip_pool_silo_link as link', 'link.ip_pool_id', 'pool.id')
    .selectAll('pool')
    .where('link.silo_id', '=', siloId)
    .where('pool.time_deleted', 'is', null)
}

async function defaultPool(db: Db, siloId: string, version?: IpVersion | null): Promise<PoolRow> {
  let query = poolsOf(db, siloId)
    .where('link.is_default', '=', 1)
    .where('pool.pool_type', '=', 'unicast')
  if (version) query = query.where('pool.ip_version', '=', version)
  const pools = await query.execute()
  if (pools.length === 0) {
    throw fail.notFoundOther(
      `default unicast ${version ? versionName[version] : 'IP'} pool for current silo`,
    )
  }
  if (pools.length > 1) {
    throw fail.invalidRequest(
      'Multiple default unicast IP pools exist with different IP versions. Please specify ip_version (v4 or v6) or provide an explicit pool.',
    )
  }
  return pools[0]!
}

/** @throws ApiError 404 for a pool the silo is not linked to, 400 for one of the wrong type */
export async function selectPool(
  db: Db,
  siloId: string,
  selector: Wire.PoolSelector,
): Promise<PoolRow> {
  if (selector.type === 'auto') return defaultPool(db, siloId, selector.ip_version)
  const byId = isUuid(selector.pool)
  const pool = await poolsOf(db, siloId)
    .where(byId ? 'pool.id' : 'pool.name', '=', selector.pool)
    .executeTakeFirst()
  if (!pool) {
    throw byId
      ? fail.notFoundById('ip-pool', selector.pool)
      : fail.notFoundByName('ip-pool', selector.pool)
  }
  if (pool.pool_type !== 'unicast') {
    throw fail.invalidRequest(`Pool '${pool.name}' is not a unicast pool (type: ${pool.pool_type})`)
  }
  return pool
}

/** The lowest address of a pool that nothing uses. */
async function freeAddress(db: Db, pool: PoolRow): Promise<string> {
  const ranges = await db
    .selectFrom('ip_pool_range')
    .select(['first_key', 'last_key'])
    .where('ip_pool_id', '=', pool.id)
    .orderBy('first_key')
    .execute()
  for (const { first_key, last_key } of ranges) {
    const used = await db
      .selectFrom('external_ip')
      .select('ip_key')
      .distinct()
      .where('ip_pool_id', '=', pool.id)
      .where('ip_key', '>=', first_key)
      .where('ip_key', '<=', last_key)
      .orderBy('ip_key')
      .execute()
    let candidate = first_key
    for (const { ip_key } of used) {
      if (ip_key !== candidate) break
      candidate = after(candidate)
    }
    if (candidate <= last_key) return candidate
  }
  throw fail.insufficientCapacity('No external IP addresses available')
}

/** Room for one more on an address that is shared by port ranges already, lowest first. */
async function sharedAddress(
  db: Db,
  pool: PoolRow,
): Promise<{ key: string; firstPort: number } | undefined> {
  const perAddress = 65536 / SNAT_PORTS
  const shared = await db
    .selectFrom('external_ip')
    .select('ip_key')
    .where('ip_pool_id', '=', pool.id)
    .where('kind', '=', 'snat')
    .groupBy('ip_key')
    .having((eb) => eb(eb.fn.countAll(), '<', perAddress))
    .orderBy('ip_key')
    .limit(1)
    .executeTakeFirst()
  if (!shared) return undefined
  const rows = await db
    .selectFrom('external_ip')
    .select('first_port')
    .where('ip_pool_id', '=', pool.id)
    .where('ip_key', '=', shared.ip_key)
    .execute()
  const taken = new Set(rows.map(({ first_port }) => first_port))
  for (let firstPort = 0; firstPort < 65536; firstPort += SNAT_PORTS) {
    if (!taken.has(firstPort)) return { key: shared.ip_key, firstPort }
  }
  return undefined
}

async function insertAddress(
  ctx: Context,
  instance: InstanceRow,
  pool: PoolRow,
  kind: 'snat' | 'ephemeral',
  key: string,
  ports: { first: number; last: number },
): Promise<void> {
  const time = ctx.now.toISOString()
  await ctx.db
    .insertInto('external_ip')
    .values({
      id: crypto.randomUUID(),
      kind,
      ip: fromKey(key, pool.ip_version),
      ip_key: key,
      ip_pool_id: pool.id,
      project_id: instance.project_id,
      instance_id: instance.id,
      first_port: ports.first,
      last_port: ports.last,
      name: null,
      description: null,
      time_created: time,
      time_modified: time,
    })
    .execute()
}

/** Outbound translation for instances with IPv4: a quarter of the ports of one address. */
async function allocateSnat(ctx: Context, siloId: string, instance: InstanceRow): Promise<void> {
  const pool = await defaultPool(ctx.db, siloId, 'v4')
  const shared = await sharedAddress(ctx.db, pool)
  const key = shared?.key ?? (await freeAddress(ctx.db, pool))
  const first = shared?.firstPort ?? 0
  await insertAddress(ctx, instance, pool, 'snat', key, { first, last: first + SNAT_PORTS - 1 })
}

async function allocateEphemeral(
  ctx: Context,
  instance: InstanceRow,
  pool: PoolRow,
): Promise<void> {
  const key = await freeAddress(ctx.db, pool)
  await insertAddress(ctx, instance, pool, 'ephemeral', key, { first: 0, last: 65535 })
}

function requireStack(
  kind: 'ephemeral' | 'floating',
  version: IpVersion,
  instance: InstanceRow,
  primary: NetworkInterfaceRow | undefined,
): void {
  const has = version === 'v4' ? primary?.ipv4 : primary?.ipv6
  if (has) return
  const name = versionName[version]
  throw fail.invalidRequest(
    `The ${kind} external IP is an ${name} address, but the instance with ID ${instance.id} does not have a primary network interface with a VPC-private ${name} address. Add a VPC-private ${name} address to the interface, or attach a different IP address`,
  )
}

async function attachFloating(
  ctx: Context,
  instance: InstanceRow,
  selector: string,
  primary: NetworkInterfaceRow | undefined,
): Promise<void> {
  const byId = isUuid(selector)
  const row = await ctx.db
    .selectFrom('external_ip')
    .selectAll()
    .where('kind', '=', 'floating')
    .where('project_id', '=', instance.project_id)
    .where(byId ? 'id' : 'name', '=', selector)
    .executeTakeFirst()
  if (!row) {
    throw byId
      ? fail.notFoundById('floating-ip', selector)
      : fail.notFoundByName('floating-ip', selector)
  }
  if (row.instance_id !== null && row.instance_id !== instance.id) {
    throw fail.invalidRequest(
      'floating IP cannot be attached to one instance while still attached to another',
    )
  }
  requireStack('floating', row.ip_key.length === keyLength.v4 ? 'v4' : 'v6', instance, primary)
  await ctx.db
    .updateTable('external_ip')
    .set({ instance_id: instance.id, time_modified: ctx.now.toISOString() })
    .where('id', '=', row.id)
    .execute()
}

function checkEphemeralPair(
  wanted: Extract<Wire.ExternalIpCreate, { type: 'ephemeral' }>[],
  pools: PoolRow[],
): void {
  if (wanted.length < 2) return
  const [a, b] = wanted.map(({ pool_selector }) => pool_selector)
  const versions = pools.map((pool) => pool.ip_version)
  if (pools[0]!.id === pools[1]!.id) {
    throw fail.invalidRequest('cannot request two ephemeral IPs from the same pool')
  }
  if (versions[0] === versions[1]) {
    const explicit = [a!, b!].filter(({ type }) => type === 'explicit').length
    const suffix =
      explicit === 2
        ? `: both pools are ${versions[0]}`
        : explicit === 1
          ? `: explicit pool and auto selection both specify ${versions[0]}`
          : ''
    throw fail.invalidRequest(
      `cannot request two ephemeral IPs of the same version (${versions[0]})${suffix}`,
    )
  }
}

/** The external addresses a new instance asks for, and the one that IPv4 always brings. */
export async function createExternalIps(
  ctx: Context,
  project: ProjectRow,
  instance: InstanceRow,
  wanted: Wire.ExternalIpCreate[],
  interfaces: NetworkInterfaceRow[],
): Promise<void> {
  if (interfaces.some(({ ipv4 }) => ipv4 !== null)) {
    await allocateSnat(ctx, project.silo_id, instance)
  }
  const primary = interfaces.find(({ is_primary }) => is_primary === 1)
  const ephemeral = wanted.filter((one) => one.type === 'ephemeral')
  if (
    ephemeral.length > 1 &&
    ephemeral.some(({ pool_selector: s }) => s.type === 'auto' && s.ip_version === null)
  ) {
    throw fail.invalidRequest(
      'when requesting two ephemeral IPs, IP version or explicit pool name must be specified on each',
    )
  }
  const pools: PoolRow[] = []
  for (const { pool_selector } of ephemeral) {
    pools.push(await selectPool(ctx.db, project.silo_id, pool_selector))
  }
  checkEphemeralPair(ephemeral, pools)
  for (const pool of pools) {
    requireStack('ephemeral', pool.ip_version, instance, primary)
    await allocateEphemeral(ctx, instance, pool)
  }
  for (const one of wanted) {
    if (one.type === 'floating') await attachFloating(ctx, instance, one.floating_ip, primary)
  }
}

/** Frees what dies with an instance and lets go of what does not. */
export async function releaseExternalIps(db: Db, instanceId: string): Promise<void> {
  await db
    .deleteFrom('external_ip')
    .where('instance_id', '=', instanceId)
    .where('kind', '!=', 'floating')
    .execute()
  await db
    .updateTable('external_ip')
    .set({ instance_id: null })
    .where('instance_id', '=', instanceId)
    .execute()
}

export function viewExternalIp(row: ExternalIpRow): Wire.ExternalIp {
  const address = { ip: row.ip, ip_pool_id: row.ip_pool_id }
  switch (row.kind) {
    case 'snat':
      return { kind: 'snat', ...address, first_port: row.first_port, last_port: row.last_port }
    case 'ephemeral':
      return { kind: 'ephemeral', ...address }
    case 'floating':
      return {
        kind: 'floating',
        ...address,
        id: row.id,
        name: row.name!,
        description: row.description!,
        time_created: row.time_created,
        time_modified: row.time_modified,
        project_id: row.project_id,
        instance_id: row.instance_id,
      }
  }
}
