/** The networks that engines should apply, derived from the rows by the network model. */
import { formatAddress, type IpVersion, needsOfRule, networkNeeds } from '@steading/api/rules'
import { compile, ingresses, type Instance, type Interface } from '@steading/network'
import type { Db } from '../../../kernel/db/database.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { MachineIngress, MachineNetwork } from '../../../kernel/ports/machine-networks.ts'
import { readNetwork } from '../reachability/rows.ts'

/** The network of a machine, apart from the machine and the version. */
export type DesiredNetwork = Omit<MachineNetwork, 'machineId' | 'version'>

const versions = ['v4', 'v6'] as const satisfies IpVersion[]

const nothing: DesiredNetwork = { interfaces: [], ingresses: [], needs: [] }

/** External traffic arrives at the primary interface, at its address of the same version. */
function ingressesOf({ externalIps }: Instance, primary: Interface): MachineIngress[] {
  return externalIps.flatMap(({ row, address: external }) => {
    const address = primary.addresses[external.version]
    if (row.kind === 'snat' || !address) return []
    return ingresses(primary, external.version).map((ingress) => ({
      external: row.ip,
      address: formatAddress(address),
      ...ingress,
    }))
  })
}

function networkOf(instance: Instance): DesiredNetwork {
  const { interfaces } = instance
  const primary = interfaces.find(({ row }) => row.primary)
  const needs = new Set(
    interfaces.flatMap(({ inbound, outbound }) =>
      [...inbound, ...outbound].flatMap(({ row }) => needsOfRule(row)),
    ),
  )
  return {
    interfaces: interfaces.map(({ row, addresses }) => ({
      name: row.name,
      mac: row.mac,
      primary: row.primary,
      addresses: versions.flatMap((version) => {
        const address = addresses[version]
        return address ? [formatAddress(address)] : []
      }),
    })),
    ingresses: primary ? ingressesOf(instance, primary) : [],
    needs: networkNeeds.filter((need) => needs.has(need)),
  }
}

/** Ids per statement; both databases accept more parameters. */
const CHUNK = 1000

/**
 * The networks of instances, by their ids. Each VPC is compiled once, and other work has its turn in
 * between.
 */
export async function deriveNetworks(
  db: Db,
  instanceIds: readonly string[],
): Promise<Map<string, DesiredNetwork>> {
  const found = new Map(instanceIds.map((id) => [id, nothing]))
  const vpcs = new Set<string>()
  for (let at = 0; at < instanceIds.length; at += CHUNK) {
    const rows = await db
      .selectFrom('network_interface')
      .select('vpc_id')
      .distinct()
      .where('instance_id', 'in', instanceIds.slice(at, at + CHUNK))
      .execute()
    for (const { vpc_id } of rows) vpcs.add(vpc_id)
  }
  for (const vpc of vpcs) {
    const { instances } = compile(await readNetwork(db, { vpcs: [vpc] }))
    for (const [id, instance] of instances) if (found.has(id)) found.set(id, networkOf(instance))
    await yieldToEventLoop()
  }
  return found
}
