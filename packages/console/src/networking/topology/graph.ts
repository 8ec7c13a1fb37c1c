/** The contents of a network map as a tree, built from the rows of the control plane. */
import type { NetworkView } from '@steading/api/client'
import type { InstanceState } from '@steading/api/rules'
import type { StateTone } from '../../ui/state-badge.tsx'
import { instanceTone } from '../../compute/instances/instance-cells.tsx'

/** An interface of an instance, within its subnet. */
export interface Station {
  /** ID of the interface. */
  id: string
  instanceId: string
  instance: string
  /** The name of the interface, if the instance has several in the subnet's VPC. */
  nic: string | null
  state: InstanceState
  tone: StateTone
  addresses: string[]
  /** External addresses of the instance that map to this interface. */
  external: string[]
  /** Of the instance. */
  tags: readonly string[]
}

export interface SubnetNode {
  id: string
  name: string
  blocks: string[]
  /** IDs of routers, the custom one first. */
  routers: string[]
  stations: Station[]
}

export interface RouterNode {
  id: string
  name: string
  isSystem: boolean
  routes: number
  /** IDs of gateways that its routes target. */
  gateways: string[]
  /** IDs of interfaces that its routes target. */
  stations: string[]
}

export interface GatewayNode {
  id: string
  name: string
  pools: number
  addresses: number
}

export interface VpcNode {
  id: string
  name: string
  gateways: GatewayNode[]
  routers: RouterNode[]
  subnets: SubnetNode[]
}

export interface Graph {
  vpcs: VpcNode[]
  /** Instances without an interface. */
  apart: { id: string; instance: string; state: InstanceState }[]
}

const INTERNET = 'internet'
export { INTERNET }

const byName = (a: { name: string }, b: { name: string }): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : 0

function groupBy<T>(items: readonly T[], key: (item: T) => string): (of: string) => T[] {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(key(item))
    if (group) group.push(item)
    else groups.set(key(item), [item])
  }
  return (of) => groups.get(of) ?? []
}

export function graphOf(rows: NetworkView): Graph {
  const subnetsOf = groupBy(rows.subnets, ({ vpcId }) => vpcId)
  const routersOf = groupBy(rows.routers, ({ vpcId }) => vpcId)
  const routesOf = groupBy(rows.routes, ({ vpcRouterId }) => vpcRouterId)
  const gatewaysOf = groupBy(rows.internetGateways, ({ vpcId }) => vpcId)
  const nicsIn = groupBy(rows.interfaces, ({ subnetId }) => subnetId)
  const nicsOfVpc = groupBy(rows.interfaces, ({ vpcId }) => vpcId)
  const nicsOf = groupBy(rows.interfaces, ({ instanceId }) => instanceId)
  const external = groupBy(rows.externalIps, ({ instanceId }) => instanceId ?? '')
  const instances = new Map(rows.instances.map((instance) => [instance.id, instance]))

  const vpcs = rows.vpcs.toSorted(byName).map((vpc): VpcNode => {
    const nics = nicsOfVpc(vpc.id)
    const subnets = subnetsOf(vpc.id).toSorted(byName)
    const gateways = gatewaysOf(vpc.id).toSorted(byName)
    const nameOf = (id: string) => instances.get(id)?.name
    const routers = routersOf(vpc.id)
      .toSorted((a, b) => Number(b.kind === 'system') - Number(a.kind === 'system') || byName(a, b))
      .map((router): RouterNode => {
        const targets = routesOf(router.id).map(({ target }) => target)
        const led = (type: string) =>
          new Set(targets.flatMap((target) => (target.type === type ? [target.value] : [])))
        const [toGateways, toInstances, toAddresses] = [
          led('internet_gateway'),
          led('instance'),
          led('ip'),
        ]
        return {
          id: router.id,
          name: router.name,
          isSystem: router.kind === 'system',
          routes: targets.length,
          gateways: gateways.flatMap(({ id, name }) => (toGateways.has(name) ? [id] : [])),
          stations: nics.flatMap((nic) =>
            toInstances.has(nameOf(nic.instanceId) ?? '') ||
            toAddresses.has(nic.ipv4 ?? '') ||
            toAddresses.has(nic.ipv6 ?? '')
              ? [nic.id]
              : [],
          ),
        }
      })
    const system = routers.filter(({ isSystem }) => isSystem)
    return {
      id: vpc.id,
      name: vpc.name,
      routers,
      gateways: gateways.map(({ id, name, ipPoolIds, addresses }) => ({
        id,
        name,
        pools: ipPoolIds.length,
        addresses: addresses.length,
      })),
      subnets: subnets.map((subnet) => ({
        id: subnet.id,
        name: subnet.name,
        blocks: [subnet.ipv4Block, subnet.ipv6Block],
        routers: [...routers.filter(({ id }) => id === subnet.customRouterId), ...system].map(
          ({ id }) => id,
        ),
        stations: nicsIn(subnet.id)
          .flatMap((nic): Station[] => {
            const instance = instances.get(nic.instanceId)
            if (!instance) return []
            const several = nicsOf(instance.id).filter(({ vpcId }) => vpcId === vpc.id).length > 1
            return [
              {
                id: nic.id,
                instanceId: instance.id,
                instance: instance.name,
                nic: several ? nic.name : null,
                state: instance.runState,
                tone: instanceTone[instance.runState],
                addresses: [nic.ipv4, nic.ipv6].filter((address) => address !== null),
                // SNAT addresses accept no inbound traffic.
                external: nic.primary
                  ? external(instance.id).flatMap(({ kind, ip }) => (kind === 'snat' ? [] : [ip]))
                  : [],
                tags: rows.tags[instance.id] ?? [],
              },
            ]
          })
          .toSorted((a, b) => byName({ name: a.instance }, { name: b.instance })),
      })),
    }
  })
  return {
    vpcs,
    apart: rows.instances
      .filter(({ id }) => nicsOf(id).length === 0)
      .map(({ id, name, runState }) => ({ id, instance: name, state: runState })),
  }
}
