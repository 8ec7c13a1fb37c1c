import type { Wire } from '@steading/api'
import { INSTANCE_MAX_NICS, transitIpProblem } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { type LookupContext, lookup } from '../../../kernel/lookup.ts'
import type { Writing } from '../../../kernel/work.ts'
import { freeMac, takeSubnetAddress } from './subnet-addresses.ts'
import type { NetworkInterfaceRow } from './wire.ts'
import { transitNetworks } from './table.ts'

type SubnetRow = Row<'vpc_subnet'>
/** A call that creates interfaces. It may look up their subnets. */
type InterfaceMaker = Writing & LookupContext<'vpc_subnet'>

interface Stacks {
  v4?: Wire.PrivateIpv4StackCreate
  v6?: Wire.PrivateIpv6StackCreate
}

function stacksOf(config: Wire.PrivateIpStackCreate): Stacks {
  if (config.type === 'dual_stack') return config.value
  return config.type === 'v4' ? { v4: config.value } : { v6: config.value }
}

const lookupSubnet = (
  context: LookupContext<'vpc_subnet'>,
  project: string,
  { vpc_name, subnet_name }: Wire.InstanceNetworkInterfaceCreate,
): Promise<SubnetRow> => lookup(context, 'vpc_subnet', subnet_name, { vpc: vpc_name, project })

const freeSlot = (others: NetworkInterfaceRow[]): number => {
  const taken = new Set(others.map(({ slot }) => slot))
  return Array.from({ length: INSTANCE_MAX_NICS }, (_, slot) => slot).find((s) => !taken.has(s))!
}

/**
 * Adds one interface to an instance; the first is primary (control plane 8.6).
 * @param others its existing interfaces
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
    ipv4: v4 ? await takeSubnetAddress(db, subnet, 'ipv4', v4.ip) : null,
    ipv6: v6 ? await takeSubnetAddress(db, subnet, 'ipv6', v6.ip) : null,
    transit_ips_v4: transitNetworks.write(v4?.transit_ips ?? []),
    transit_ips_v6: transitNetworks.write(v6?.transit_ips ?? []),
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

/** Creates the interfaces of a new instance, in order; the first is primary. */
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
