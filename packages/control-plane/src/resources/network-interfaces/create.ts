import type { Wire } from '@steading/api'
import {
  formatAddress,
  guestAddressProblem,
  guestRange,
  INSTANCE_MAX_NICS,
  ipVersionName,
  type Network,
  parseAddress,
  parseNetwork,
  transitIpProblem,
} from '@steading/api/rules'
import type { Db } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors.ts'
import type { Row } from '../../kernel/kinds.ts'
import { addressKey, addressOfKey } from '../addresses/keys.ts'
import { closeSpace, giveBack, openSpace, takeKey, takeLowest } from '../addresses/space.ts'
import { type Looker, lookup } from '../../kernel/lookup.ts'
import type { Writing } from '../../kernel/work.ts'
import type { NetworkInterfaceRow } from './view.ts'

type SubnetRow = Row<'vpc_subnet'>
/** A call that makes interfaces. It needs to be able to look up their subnets. */
type InterfaceMaker = Writing & Looker<'vpc_subnet'>

/** First three bytes of the MAC address of every guest; the fourth is F0-FE. */
const MAC_PREFIX = [0xa8, 0x40, 0x25]
const MAC_ATTEMPTS = 20

function randomMac(): string {
  const [a, b, c] = crypto.getRandomValues(new Uint8Array(3))
  const bytes = [...MAC_PREFIX, 0xf0 + (a! % 15), b!, c!]
  return bytes.map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(':')
}

async function freeMac(db: Db, vpcId: string): Promise<string> {
  for (let attempt = 0; attempt < MAC_ATTEMPTS; attempt++) {
    const mac = randomMac()
    const taken = await db
      .selectFrom('network_interface')
      .select('id')
      .where('vpc_id', '=', vpcId)
      .where('mac', '=', mac)
      .executeTakeFirst()
    if (!taken) return mac
  }
  throw fail.insufficientCapacity('No free MAC address was found')
}

type Column = 'ipv4' | 'ipv6'

/** Keys of the addresses of a subnet that are in use. */
async function* usedKeys(db: Db, subnetId: string, column: Column): AsyncGenerator<string> {
  const rows = await db
    .selectFrom('network_interface')
    .select(column)
    .where('subnet_id', '=', subnetId)
    .where(column, 'is not', null)
    .execute()
  const addresses = rows.map((row) => (row as Record<Column, string>)[column])
  yield* addresses.map((address) => addressKey(parseAddress(address)!)).sort()
}

/** Makes sure that the free addresses of a subnet are stored. */
async function openSubnet(db: Db, subnet: SubnetRow, column: Column, network: Network) {
  const id = `${subnet.id} ${column}`
  const { first, last } = guestRange(network)
  const [first_key, last_key] = [first, last].map((value) =>
    addressKey({ version: network.version, value }),
  )
  const ranges = first <= last ? [{ first_key: first_key!, last_key: last_key! }] : []
  await openSpace(db, { id, ranges, used: () => usedKeys(db, subnet.id, column) })
  return id
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
      await giveBack(db, `${row.subnet_id} ${column}`, addressKey(parseAddress(address)!))
    }
  }
}

/** Forgets the free addresses of a deleted subnet. */
export async function closeSubnet(db: Db, subnetId: string): Promise<void> {
  for (const column of ['ipv4', 'ipv6']) await closeSpace(db, `${subnetId} ${column}`)
}

async function takeAddress(
  db: Db,
  subnet: SubnetRow,
  column: Column,
  wanted: Wire.Ipv4Assignment | Wire.Ipv6Assignment,
): Promise<string> {
  const network = parseNetwork(column === 'ipv4' ? subnet.ipv4_block : subnet.ipv6_block)!
  const space = await openSubnet(db, subnet, column, network)
  if (wanted.type === 'explicit') {
    const address = parseAddress(wanted.value)!
    const problem = guestAddressProblem(network, address)
    if (problem) throw fail.invalidRequest(problem)
    if (!(await takeKey(db, space, addressKey(address)))) {
      throw fail.invalidRequest(`The IP address '${formatAddress(address)}' is not available`)
    }
    return formatAddress(address)
  }
  const key = await takeLowest(db, space)
  if (key !== undefined) return addressOfKey(key, network.version)
  throw fail.insufficientCapacity(
    `No available ${ipVersionName[network.version]} addresses for interface in subnet '${subnet.name}' with ID '${subnet.id}'`,
  )
}

interface Stacks {
  v4?: Wire.PrivateIpv4StackCreate
  v6?: Wire.PrivateIpv6StackCreate
}

function stacksOf(config: Wire.PrivateIpStackCreate): Stacks {
  if (config.type === 'dual_stack') return config.value
  return config.type === 'v4' ? { v4: config.value } : { v6: config.value }
}

const lookupSubnet = (
  looker: Looker<'vpc_subnet'>,
  project: string,
  { vpc_name, subnet_name }: Wire.InstanceNetworkInterfaceCreate,
): Promise<SubnetRow> => lookup(looker, 'vpc_subnet', subnet_name, { vpc: vpc_name, project })

const freeSlot = (others: NetworkInterfaceRow[]): number => {
  const taken = new Set(others.map(({ slot }) => slot))
  return Array.from({ length: INSTANCE_MAX_NICS }, (_, slot) => slot).find((s) => !taken.has(s))!
}

/**
 * Adds one interface to an instance; the first is primary (control plane 8.6).
 * @param others the interfaces it has
 * @throws ApiError 404 for a missing network, 400 for a subnet that does not fit the other
 *   interfaces
 */
export async function createInterface(
  work: InterfaceMaker,
  instance: Row<'instance'>,
  params: Wire.InstanceNetworkInterfaceCreate,
  others: NetworkInterfaceRow[],
): Promise<NetworkInterfaceRow> {
  const { db } = work
  const subnet = await lookupSubnet(work, instance.project_id, params)
  const { v4, v6 } = stacksOf(params.ip_config)
  const problem = transitIpProblem(v4?.transit_ips ?? []) ?? transitIpProblem(v6?.transit_ips ?? [])
  if (problem) throw fail.invalidRequest(problem)
  if (others.some(({ name }) => name === params.name)) {
    throw fail.alreadyExists('instance-network-interface', params.name)
  }
  if (others.length >= INSTANCE_MAX_NICS) {
    throw fail.invalidRequest(`May not attach more than ${INSTANCE_MAX_NICS} network interfaces`)
  }
  if (others.some(({ vpc_id }) => vpc_id !== subnet.vpc_id)) {
    throw fail.invalidRequest(
      'Networking may not span multiple VPCs, but the requested resource is associated with another VPC',
    )
  }
  if (others.some(({ subnet_id }) => subnet_id === subnet.id)) {
    throw fail.invalidRequest('Each interface must be in a distinct VPC Subnet')
  }
  const time = work.now.toISOString()
  const row: NetworkInterfaceRow = {
    id: crypto.randomUUID(),
    name: params.name,
    description: params.description,
    time_created: time,
    time_modified: time,
    instance_id: instance.id,
    vpc_id: subnet.vpc_id,
    subnet_id: subnet.id,
    mac: await freeMac(db, subnet.vpc_id),
    slot: freeSlot(others),
    is_primary: others.length === 0 ? 1 : 0,
    ipv4: v4 ? await takeAddress(db, subnet, 'ipv4', v4.ip) : null,
    ipv6: v6 ? await takeAddress(db, subnet, 'ipv6', v6.ip) : null,
    transit_ips_v4: JSON.stringify(v4?.transit_ips ?? []),
    transit_ips_v6: JSON.stringify(v6?.transit_ips ?? []),
  }
  await db.insertInto('network_interface').values(row).execute()
  return row
}

const automatic = { ip: { type: 'auto' as const }, transit_ips: [] }
const automaticStacks = {
  default_ipv4: { type: 'v4', value: automatic },
  default_ipv6: { type: 'v6', value: automatic },
  default_dual_stack: { type: 'dual_stack', value: { v4: automatic, v6: automatic } },
} as const satisfies Record<string, Wire.PrivateIpStackCreate>

/** Makes the interfaces of a new instance, in order; the first is primary. */
export async function createInterfaces(
  work: InterfaceMaker,
  instance: Row<'instance'>,
  wanted: Wire.InstanceNetworkInterfaceAttachment,
): Promise<NetworkInterfaceRow[]> {
  if (wanted.type === 'none') return []
  const params: Wire.InstanceNetworkInterfaceCreate[] =
    wanted.type === 'create'
      ? wanted.params
      : [
          {
            name: 'net0',
            description: `default primary interface for ${instance.name}`,
            vpc_name: 'default',
            subnet_name: 'default',
            ip_config: automaticStacks[wanted.type],
          },
        ]
  const made: NetworkInterfaceRow[] = []
  for (const one of params) made.push(await createInterface(work, instance, one, made))
  return made
}
