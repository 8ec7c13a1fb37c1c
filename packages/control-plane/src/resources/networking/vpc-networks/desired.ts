/** The networks that an engine should have, as the rows of each VPC. */
import { emptyRows, type NetworkRows } from '@steading/network'
import type { Db } from '../../../kernel/db/database.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { VpcNetwork } from '../../../kernel/ports/vpc-networks.ts'
import { digest } from '../../../kernel/secrets.ts'
import { multicastOf } from '../multicast-groups/of-vpcs.ts'
import { readNetwork } from '../reachability/rows.ts'

export interface DesiredNetwork extends Pick<VpcNetwork, 'rows' | 'multicast'> {
  /** Equal networks have equal digests. */
  digest: string
}

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1)

/** The rows of several VPCs, one by one. */
function splitByVpc(found: NetworkRows): Map<string, NetworkRows> {
  const split = new Map(found.vpcs.map((vpc) => [vpc.id, { ...emptyRows(), vpcs: [vpc] }]))
  const routers = new Map(found.routers.map(({ id, vpc_id }) => [id, vpc_id]))
  const instances = new Map(found.interfaces.map((nic) => [nic.instance_id, nic.vpc_id]))
  const vpcOf = (instanceId: string | null) =>
    split.get((instanceId !== null && instances.get(instanceId)) || '')
  for (const subnet of found.subnets) split.get(subnet.vpc_id)?.subnets.push(subnet)
  for (const router of found.routers) split.get(router.vpc_id)?.routers.push(router)
  for (const route of found.routes) {
    split.get(routers.get(route.vpc_router_id) ?? '')?.routes.push(route)
  }
  for (const rule of found.firewall_rules.toSorted(byId)) {
    split.get(rule.vpc_id)?.firewall_rules.push(rule)
  }
  for (const gateway of found.internet_gateways) {
    split.get(gateway.vpc_id)?.internet_gateways.push(gateway)
  }
  for (const instance of found.instances) {
    // Networks do not depend on whether an instance runs, and would change with each start.
    vpcOf(instance.id)?.instances.push({ ...instance, run_state: 'running' })
  }
  for (const nic of found.interfaces) split.get(nic.vpc_id)?.interfaces.push(nic)
  for (const ip of found.external_ips) vpcOf(ip.instance_id)?.external_ips.push(ip)
  for (const subnet of found.external_subnets) {
    vpcOf(subnet.instance_id)?.external_subnets.push(subnet)
  }
  return split
}

/** VPCs that are read together. */
const CHUNK = 50

/** The networks of live VPCs by their ids; other work has its turn in between. */
export async function* desiredNetworks(
  db: Db,
  vpcIds: readonly string[],
): AsyncGenerator<readonly [id: string, network: DesiredNetwork]> {
  for (let at = 0; at < vpcIds.length; at += CHUNK) {
    const chunk = vpcIds.slice(at, at + CHUNK)
    const found = await readNetwork(db, { vpcs: chunk })
    const groups = await multicastOf(db, chunk)
    for (const [id, rows] of splitByVpc(found)) {
      const network = { rows, multicast: groups.get(id) ?? [] }
      yield [id, { ...network, digest: await digest(JSON.stringify(network)) }]
      await yieldToEventLoop()
    }
  }
}

/** The network of a VPC; undefined if it is deleted. */
export async function desiredNetworkOf(db: Db, vpcId: string): Promise<DesiredNetwork | undefined> {
  for await (const [, network] of desiredNetworks(db, [vpcId])) return network
  return undefined
}
