/**
 * Probes as end points of the host: each has a network namespace at its port of OVN, whose kernel
 * answers pings and refuses connections.
 */
import { createHash } from 'node:crypto'
import { formatAddress } from '@steading/api/rules'
import type { Vpc } from '@steading/network'
import { subnetAddresses, versions } from '../vpc/names.ts'
import { MACHINE_BRIDGE } from './host.ts'
import type { Run } from './run.ts'

export interface Probe {
  /** Id of its interface, by which OVN knows the port. */
  id: string
  mac: string
  mtu: number
  /** With the width of the subnet. */
  addresses: string[]
  gateways: string[]
}

export function probesOf({ interfaces }: Vpc, mtu: number): Probe[] {
  return interfaces
    .filter(({ instance }) => instance.row.probe)
    .map(({ row: { id, mac }, addresses, subnet }) => {
      const blocks = subnetAddresses(subnet)
      const own = versions.filter((version) => addresses[version])
      return {
        id,
        mac,
        mtu,
        addresses: own.map(
          (version) => `${formatAddress(addresses[version]!)}/${blocks[version].width}`,
        ),
        gateways: own.map((version) => blocks[version].gateway),
      }
    })
}

/** Marks our ports in Open vSwitch: the VPC, and a digest of what the probe is like. */
const MARK = 'steading-probe'

/** Of the namespace and of the port, whose name may have 15 characters. */
const nameOf = ({ id }: Probe): string =>
  `probe-${createHash('sha256').update(id).digest('hex').slice(0, 8)}`

const digestOf = (probe: Probe): string =>
  createHash('sha256').update(JSON.stringify(probe)).digest('hex').slice(0, 16)

/**
 * Replaces a probe. A pair of devices instead of a port of Open vSwitch's own, because that goes with
 * Open vSwitch. Packets get their checksums, which Open vSwitch in user space does not add.
 */
const begin = `
set -e
ovs-vsctl --if-exists del-port ${MACHINE_BRIDGE} "$1"
name=$1 id=$2 mark=$3 mac=$4 mtu=$5 addresses=$6 gateways=$7
ip netns delete "$name" 2> /dev/null || true
ip link delete "$name" 2> /dev/null || true
ip netns add "$name"
inside="nsenter --net=/run/netns/$name"
$inside sysctl -qw net.ipv6.conf.default.accept_dad=0 net.ipv6.conf.default.accept_ra=0
ip link add "$name" mtu "$mtu" type veth peer name eth0 netns "$name" address "$mac" mtu "$mtu"
$inside ethtool -K eth0 tx off > /dev/null
$inside ip link set lo up
$inside ip link set eth0 up
for address in $addresses; do $inside ip address add "$address" dev eth0; done
for gateway in $gateways; do $inside ip route add default via "$gateway"; done
ip link set "$name" up
ovs-vsctl add-port ${MACHINE_BRIDGE} "$name" -- \\
  set interface "$name" "external_ids:iface-id=$id" "external_ids:${MARK}=$mark"
`

const end = `
ovs-vsctl --if-exists del-port ${MACHINE_BRIDGE} "$1"
ip netns delete "$1" 2> /dev/null || true
`

interface Present {
  name: string
  vpcId: string
  digest: string
}

/** The probes of the host, each with the mark of its port if it still has a namespace. */
async function readProbes(run: Run): Promise<Present[]> {
  const columns = ['--format=json', '--columns=name,external_ids', 'list', 'interface']
  const { data } = JSON.parse(await run('ovs-vsctl', ...columns)) as {
    data: [name: string, ids: ['map', [string, string][]]][]
  }
  const spaces = JSON.parse((await run('ip', '-json', 'netns', 'list')) || '[]') as {
    name: string
  }[]
  const alive = new Set(spaces.map(({ name }) => name))
  return data.flatMap(([name, [, ids]]) => {
    const [vpcId, digest] = new Map(ids).get(MARK)?.split(' ') ?? []
    if (vpcId === undefined || digest === undefined) return []
    return { name, vpcId, digest: alive.has(name) ? digest : '' }
  })
}

export interface Probes {
  /** Makes the probes of a VPC what they should be. */
  apply: (vpcId: string, wanted: readonly Probe[]) => Promise<void>
  /** Whether a VPC has these probes, and no others. */
  isLevel: (vpcId: string, wanted: readonly Probe[]) => Promise<boolean>
  /** Looks again what there is on the host. */
  forget: () => void
}

export function createProbes(run: Run): Probes {
  /** VPC → name → digest. */
  let known: Promise<Map<string, Map<string, string>>> | undefined

  async function read(): Promise<Map<string, Map<string, string>>> {
    const byVpc = new Map<string, Map<string, string>>()
    for (const { name, vpcId, digest } of await readProbes(run)) {
      const own = byVpc.get(vpcId) ?? new Map<string, string>()
      byVpc.set(vpcId, own.set(name, digest))
    }
    return byVpc
  }
  const present = () =>
    (known ??= read().catch((error: unknown) => {
      known = undefined
      throw error
    }))

  return {
    async apply(vpcId, wanted) {
      const all = await present()
      const own = all.get(vpcId) ?? new Map<string, string>()
      all.set(vpcId, own)
      const names = new Set(wanted.map(nameOf))
      for (const name of own.keys()) {
        if (names.has(name)) continue
        await run('sh', '-c', end, 'sh', name)
        own.delete(name)
      }
      for (const probe of wanted) {
        const [name, digest] = [nameOf(probe), digestOf(probe)]
        if (own.get(name) === digest) continue
        const { id, mac, mtu, addresses, gateways } = probe
        const mark = `${vpcId} ${digest}`
        const lists = [addresses, gateways].map((list) => list.join(' '))
        await run('sh', '-c', begin, 'sh', name, id, mark, mac, String(mtu), ...lists)
        own.set(name, digest)
      }
    },
    async isLevel(vpcId, wanted) {
      const own = (await present()).get(vpcId) ?? new Map<string, string>()
      return (
        own.size === wanted.length &&
        wanted.every((probe) => own.get(nameOf(probe)) === digestOf(probe))
      )
    },
    forget() {
      known = undefined
    },
  }
}
