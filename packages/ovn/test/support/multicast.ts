/** Multicast groups of random clouds, and the packets that their members should receive. */
import type { VpcMulticastGroup } from '@steading/control-plane/ports'
import type { NetworkRows } from '@steading/network'
import fc from 'fast-check'
import type { Group, Probe } from './endpoint.ts'

const PORT = 5000
/** A group of each version. */
const addresses = { ipv4: '239.1.0.1', ipv6: 'ff3e::1:1' } as const
const versions = ['ipv4', 'ipv6'] as const

export type Groups = ReadonlyMap<string, readonly VpcMulticastGroup[]>

/** Which interfaces are members, and which of these accept a single source only. */
export const memberships = fc.array(fc.record({ isMember: fc.boolean(), isChoosy: fc.boolean() }), {
  minLength: 16,
  maxLength: 16,
})
type Memberships = typeof memberships extends fc.Arbitrary<infer T> ? T : never

/** The groups of each VPC. */
export function groupsOf(rows: NetworkRows, chosen: Memberships): Groups {
  const groups = rows.vpcs.map(({ id }) => {
    const own = rows.interfaces.filter(({ vpc_id }) => vpc_id === id)
    const ofVersion = versions.map((version) => {
      const [first] = own.flatMap((nic) => nic[version] ?? [])
      const members = own.flatMap(({ id: interfaceId }, at) => {
        const { isMember, isChoosy } = chosen[at]!
        const sources = isChoosy && first !== undefined ? [first] : []
        return isMember ? [{ interfaceId, sources }] : []
      })
      return { id: `group ${version}`, address: addresses[version], members }
    })
    return [id, ofVersion.filter(({ members }) => members.length > 0)] as const
  })
  const all = groups.flatMap(([, own]) => own.map(({ id }) => id))
  return new Map(
    groups.map(([vpcId, own]) => [
      vpcId,
      own.map((group) => ({
        ...group,
        isShared: all.filter((id) => id === group.id).length > 1,
      })),
    ]),
  )
}

const isRunning = (rows: NetworkRows, id: string): boolean =>
  rows.instances.find((instance) => instance.id === id)!.run_state === 'running'

const runningNics = (rows: NetworkRows) =>
  rows.interfaces.filter(({ instance_id }) => isRunning(rows, instance_id))

const deviceOf = (rows: NetworkRows, nic: NetworkRows['interfaces'][number]): string =>
  `eth${rows.interfaces.filter(({ instance_id }) => instance_id === nic.instance_id).indexOf(nic)}`

/** All guests join, also those that are no members, by all their interfaces. */
export const joinsOf = (rows: NetworkRows): { at: string; group: Group }[] =>
  runningNics(rows).flatMap((nic) =>
    versions.flatMap((version) => {
      const own = nic[version]
      if (own === null) return []
      const by = version === 'ipv4' ? own : `::%${deviceOf(rows, nic)}`
      return [{ at: nic.instance_id, group: { address: addresses[version], port: PORT, by } }]
    }),
  )

export interface Cast {
  from: string
  probe: Probe
  /** Names of the end points that should receive it. */
  receivers: string[]
}

/** Whether a guest has an IPv4 address itself: its kernel takes no packets from there. */
const has = (rows: NetworkRows, instanceId: string, address: string): boolean =>
  rows.interfaces.some((nic) => nic.instance_id === instanceId && nic.ipv4 === address)

/**
 * A packet to each group from each interface. In a VPC without members, its address is not a group's.
 */
export const castsOf = (rows: NetworkRows, groups: Groups): Cast[] =>
  runningNics(rows).flatMap((nic) =>
    versions.flatMap((version): Cast[] => {
      const source = nic[version]
      if (source === null) return []
      const group = groups.get(nic.vpc_id)!.find(({ id }) => id === `group ${version}`)
      if (!group) return []
      const members = [...groups.values()].flatMap((all) =>
        all
          .filter(({ id }) => id === group.id)
          .flatMap((same) => same.members)
          .filter(({ sources }) => sources.length === 0 || sources.includes(source)),
      )
      const receivers = runningNics(rows).filter(
        (one) =>
          one.instance_id !== nic.instance_id &&
          !has(rows, one.instance_id, source) &&
          one[version] !== null &&
          members.some(({ interfaceId }) => interfaceId === one.id),
      )
      const device = deviceOf(rows, nic)
      return [
        {
          from: nic.instance_id,
          probe: {
            id: `${nic.id} > ${version}`,
            protocol: 'multicast',
            source,
            destination: addresses[version],
            port: PORT,
            by: version === 'ipv4' ? source : `::%${device}`,
          },
          receivers: [...new Set(receivers.map(({ instance_id }) => instance_id))],
        },
      ]
    }),
  )
