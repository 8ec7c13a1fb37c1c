/** Checks the accounting of every address in a database: none is in use twice, and none is lost. */
import { guestRange, parseNetwork } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../../src/kernel/db/database.ts'
import { addressKey } from '../../src/resources/networking/addresses/keys.ts'
import type { KeyRange } from '../../src/resources/networking/addresses/space.ts'
import { addressHolders } from '../../src/resources/networking/ip-pools/holders.ts'
import { interfaceTables } from '../../src/resources/networking/network-interfaces/holders.ts'

/** A part of the address space, both ends included. */
interface Span {
  first: bigint
  last: bigint
}

const spanOf = ({ first_key, last_key }: KeyRange): Span => ({
  first: BigInt(`0x${first_key}`),
  last: BigInt(`0x${last_key}`),
})
const hostSpan = (key: string): Span => spanOf({ first_key: key, last_key: key })
function blockSpan({ first_key, prefix_length }: { first_key: string; prefix_length: number }) {
  const { first } = hostSpan(first_key)
  return { first, last: first + (1n << BigInt(first_key.length * 4 - prefix_length)) - 1n }
}
const sizeOf = (spans: Span[]): bigint =>
  spans.reduce((sum, { first, last }) => sum + last - first + 1n, 0n)

/** Merges spans that touch each other. */
function joined(spans: Span[]): Span[] {
  const all: Span[] = []
  for (const span of inOrder(spans)) {
    const before = all.at(-1)
    if (before && span.first === before.last + 1n) before.last = span.last
    else all.push({ ...span })
  }
  return all
}
const inOrder = (spans: Span[]): Span[] => spans.toSorted((a, b) => (a.first < b.first ? -1 : 1))

interface Space {
  /** The designation in messages. */
  what: string
  whole: Span[]
  used: Span[]
  /** Undefined until the free addresses have been computed. */
  free: Span[] | undefined
}

function faultsOf({ what, whole, used, free }: Space): string[] {
  const parts = inOrder([...used, ...(free ?? [])])
  const twice = parts.find((part, index) => index > 0 && part.first <= parts[index - 1]!.last)
  const outside = parts.find(
    ({ first, last }) => !joined(whole).some((one) => first >= one.first && last <= one.last),
  )
  const lost = free === undefined ? 0n : sizeOf(whole) - sizeOf(parts)
  return [
    ...(twice ? [`${what}: ${twice.first.toString(16)} is twice in use, or in use and free`] : []),
    ...(outside ? [`${what}: ${outside.first.toString(16)} is outside of it`] : []),
    ...(lost === 0n ? [] : [`${what}: ${lost} addresses are neither in use nor free`]),
  ]
}

/** Faults in the addresses of pools and subnets. */
export async function addressFaults(db: Db): Promise<string[]> {
  const open = new Set(
    (await db.selectFrom('address_space').select('id').execute()).map(({ id }) => id),
  )
  const freeRanges = await db.selectFrom('free_address').selectAll().execute()
  const freeBlocks = await db.selectFrom('free_block').selectAll().execute()
  const freeIn = (id: string) =>
    freeRanges.filter(({ space_id }) => space_id === id).map((range) => spanOf(range))
  const found: string[] = []

  const ranges = await db.selectFrom('ip_pool_range').selectAll().execute()
  const holders = await Promise.all(
    addressHolders().map(async ({ table }) => {
      const { rows } = await sql<{ ip_pool_id: string; ip_key: string; kind?: string }>`
        select * from ${sql.table(table)}`.execute(db)
      return rows
    }),
  )
  for (const pool of await db
    .selectFrom('ip_pool')
    .selectAll()
    .where('time_deleted', 'is', null)
    .execute()) {
    const its = holders.flat().filter(({ ip_pool_id }) => ip_pool_id === pool.id)
    const shared = new Set(its.filter(({ kind }) => kind === 'snat').map(({ ip_key }) => ip_key))
    const own = its.filter(({ kind }) => kind !== 'snat').map(({ ip_key }) => ip_key)
    const used = [...own, ...shared]
    found.push(
      ...faultsOf({
        what: `IP pool ${pool.name}`,
        whole: ranges.filter(({ ip_pool_id }) => ip_pool_id === pool.id).map(spanOf),
        used: used.map(hostSpan),
        free: open.has(pool.id) ? freeIn(pool.id) : undefined,
      }),
    )
    if (Number(pool.allocated) !== used.length) {
      found.push(
        `IP pool ${pool.name} counts ${pool.allocated} addresses instead of ${used.length}`,
      )
    }
  }

  const nics = []
  for (const table of interfaceTables()) {
    nics.push(...(await db.selectFrom(table).selectAll().execute()))
  }
  const subnets = await db
    .selectFrom('vpc_subnet')
    .selectAll()
    .where('time_deleted', 'is', null)
    .execute()
  for (const subnet of subnets) {
    for (const column of ['ipv4', 'ipv6'] as const) {
      const network = parseNetwork(subnet[`${column}_block`])!
      const id = `${subnet.id} ${column}`
      const used = nics.flatMap(({ subnet_id, [column]: ip }) =>
        subnet_id === subnet.id && ip !== null ? [`${ip}/${column === 'ipv4' ? 32 : 128}`] : [],
      )
      found.push(
        ...faultsOf({
          what: `${column} of subnet ${subnet.name}`,
          whole: [guestRange(network)],
          used: used.map((ip) => hostSpan(addressKey(parseNetwork(ip)!))),
          free: open.has(id) ? freeIn(id) : undefined,
        }),
      )
    }
  }

  const external = await db.selectFrom('external_subnet').selectAll().execute()
  const members = await db.selectFrom('subnet_pool_member').selectAll().execute()
  for (const member of members) {
    found.push(
      ...faultsOf({
        what: `subnet pool member ${member.subnet}`,
        whole: [spanOf(member)],
        used: external
          .filter(({ subnet_pool_member_id: id }) => id === member.id)
          .map((one) => blockSpan(one)),
        free: freeBlocks
          .filter(({ space_id }) => space_id === member.id)
          .map((one) => blockSpan(one)),
      }),
    )
  }

  const spaces = new Set([
    ...ranges.map(({ ip_pool_id }) => ip_pool_id),
    ...subnets.flatMap(({ id }) => [`${id} ipv4`, `${id} ipv6`]),
    ...members.map(({ id }) => id),
  ])
  for (const { space_id } of [...freeRanges, ...freeBlocks]) {
    if (!spaces.has(space_id)) found.push(`free addresses of ${space_id}, which is gone`)
  }
  return found
}
