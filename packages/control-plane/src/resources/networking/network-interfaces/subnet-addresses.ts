/** The addresses of a subnet in use by its interfaces, and their MAC addresses. */
import type { Wire } from '@steading/api'
import {
  formatAddress,
  guestAddressProblem,
  guestRange,
  ipVersionName,
  type Network,
  parseAddress,
  parseNetwork,
} from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { addressKey, addressOfKey } from '../addresses/keys.ts'
import {
  closeSpace,
  giveBack,
  openSpace,
  takeKey,
  takeLowest,
  takeOpening,
} from '../addresses/space.ts'
import { interfaceTables } from './holders.ts'
import type { NetworkInterfaceRow } from './wire.ts'

type SubnetRow = Row<'vpc_subnet'>

/** First three bytes of the MAC address of every guest; the fourth is F0-FE. */
const MAC_PREFIX = [0xa8, 0x40, 0x25]
const MAC_ATTEMPTS = 20

function randomMac(): string {
  const [a, b, c] = crypto.getRandomValues(new Uint8Array(3))
  const bytes = [...MAC_PREFIX, 0xf0 + (a! % 15), b!, c!]
  return bytes.map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(':')
}

/** Whether an interface in a VPC has a MAC address. */
export async function isMacTaken(db: Db, vpcId: string, mac: string): Promise<boolean> {
  const each = interfaceTables().map(
    (table) => sql`select id from ${sql.table(table)} where vpc_id = ${vpcId} and mac = ${mac}`,
  )
  const { rows } = await sql`${sql.join(each, sql` union all `)}`.execute(db)
  return rows.length > 0
}

/** A MAC address that is free in a VPC. */
export async function freeMac(db: Db, vpcId: string): Promise<string> {
  for (let attempt = 0; attempt < MAC_ATTEMPTS; attempt++) {
    const mac = randomMac()
    if (!(await isMacTaken(db, vpcId, mac))) return mac
  }
  throw fail.insufficientCapacity('No free MAC address was found')
}

type Column = 'ipv4' | 'ipv6'

/** Keys of the addresses of a subnet that are in use. */
async function* usedKeys(db: Db, subnetId: string, column: Column): AsyncGenerator<string> {
  const keys: string[] = []
  for (const table of interfaceTables()) {
    const rows = await db
      .selectFrom(table)
      .select(column)
      .where('subnet_id', '=', subnetId)
      .where(column, 'is not', null)
      .execute()
    for (const row of rows) {
      keys.push(addressKey(parseAddress((row as Record<Column, string>)[column])!))
    }
  }
  yield* keys.sort()
}

const spaceId = (subnetId: string, column: Column) => `${subnetId} ${column}`

/**
 * Makes sure that the free addresses of a subnet are stored.
 * @returns whether they were computed now
 */
function openSubnet(db: Db, subnet: SubnetRow, column: Column, network: Network) {
  const id = spaceId(subnet.id, column)
  const { first, last } = guestRange(network)
  const [first_key, last_key] = [first, last].map((value) =>
    addressKey({ version: network.version, value }),
  )
  const ranges = first <= last ? [{ first_key: first_key!, last_key: last_key! }] : []
  return openSpace(db, { id, ranges, used: () => usedKeys(db, subnet.id, column) })
}

/** Gives back the addresses of interfaces whose rows were removed. */
export async function freeInterfaceAddresses(
  db: Db,
  rows: readonly Pick<NetworkInterfaceRow, 'subnet_id' | Column>[],
): Promise<void> {
  for (const row of rows) {
    for (const column of ['ipv4', 'ipv6'] as const) {
      const address = row[column]
      if (address === null) continue
      await giveBack(db, spaceId(row.subnet_id, column), addressKey(parseAddress(address)!))
    }
  }
}

/** Deletes the stored free addresses of a deleted subnet. */
export async function closeSubnet(db: Db, subnetId: string): Promise<void> {
  for (const column of ['ipv4', 'ipv6'] as const) await closeSpace(db, spaceId(subnetId, column))
}

/** Whether a subnet has interfaces. */
export async function isInhabited(db: Db, subnetId: string): Promise<boolean> {
  for (const table of interfaceTables()) {
    const row = await db
      .selectFrom(table)
      .select('id')
      .where('subnet_id', '=', subnetId)
      .limit(1)
      .executeTakeFirst()
    if (row) return true
  }
  return false
}

/**
 * Takes an address of a subnet: the wanted one, or the lowest free one.
 * @throws ApiError 400 if the wanted one is not free, 507 if none is
 */
export async function takeSubnetAddress(
  db: Db,
  subnet: SubnetRow,
  column: Column,
  wanted: Wire.Ipv4Assignment | Wire.Ipv6Assignment,
): Promise<string> {
  const network = parseNetwork(column === 'ipv4' ? subnet.ipv4_block : subnet.ipv6_block)!
  const space = spaceId(subnet.id, column)
  const open = () => openSubnet(db, subnet, column, network)
  if (wanted.type === 'explicit') {
    const address = parseAddress(wanted.value)!
    const problem = guestAddressProblem(network, address)
    if (problem) throw fail.invalidRequest(problem)
    if (!(await takeOpening(() => takeKey(db, space, addressKey(address)), open))) {
      throw fail.invalidRequest(`The IP address '${formatAddress(address)}' is not available`)
    }
    return formatAddress(address)
  }
  const key = await takeOpening(() => takeLowest(db, space), open)
  if (key !== undefined) return addressOfKey(key, network.version)
  throw fail.insufficientCapacity(
    `No available ${ipVersionName[network.version]} addresses for interface in subnet '${subnet.name}' with ID '${subnet.id}'`,
  )
}
