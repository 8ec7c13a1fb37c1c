/**
 * Network of simulated guests: the network model decides about arrival, the other guest about
 * listening.
 */
import {
  type Address,
  formatAddress,
  ipVersion,
  type IpVersion,
  isMulticastAddress,
  parseAddress,
} from '@steading/api/rules'
import { ask, type Network } from '@steading/network'
import type { Networks, Surroundings } from '@steading/control-plane/ports'
import type { Destination, GuestNetwork, Reached } from './os/network.ts'
import { servicePorts } from './os/services.ts'
import type { Rows } from './rows.ts'

/** Source port of a guest's connections. */
const CLIENT_PORT = 49_152

/** Renewal interval of a listening program, in milliseconds. */
const RENEW_MS = 10_000

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.')

/** Resolves a name in the VPC of an instance: `db`, or `db.` and the DNS name of the VPC. */
function resolve(
  { network, instanceId }: Surroundings,
  host: string,
  version: IpVersion | undefined,
): Address | undefined {
  const vpc = network.instances.get(instanceId)?.interfaces[0]?.vpc
  const found = vpc?.interfaces.filter(
    ({ instance: { row } }) =>
      !row.probe && [row.name, `${row.name}.${vpc.row.dns_name}`].includes(host),
  )
  const wanted: readonly IpVersion[] = version ? [version] : ['v4', 'v6']
  for (const one of wanted) {
    // An instance in the same VPC is reached by its primary interface, which comes first.
    const address = found?.map(({ addresses }) => addresses[one]).find(Boolean)
    if (address) return address
  }
  return undefined
}

/** Whether an instance has an address of an IP version. */
const hasVersion = ({ instances }: Network, id: string, version: IpVersion): boolean =>
  instances.get(id)?.interfaces.some(({ addresses }) => addresses[version]) ?? false

export function createGuestNetwork(
  machineId: string,
  rows: Rows,
  networks: Networks,
): GuestNetwork {
  /** Delivers a packet to a guest, and reports a connection to its listener, if any. */
  async function takes(
    id: string,
    { protocol, port }: Destination,
    from: string,
  ): Promise<boolean> {
    if (protocol === 'icmp') return true
    const machine = await rows.load(id)
    if (!machine) return false
    return (
      servicePorts(machine.spec).has(port!) || rows.connect(id, port!, `${from} ${CLIENT_PORT}`)
    )
  }

  /** Sends to a group: each receiver that accepts the packet may answer. */
  async function cast(
    to: Destination,
    target: Address,
    { network, instanceId }: Surroundings,
  ): Promise<Reached> {
    const own = (network.instances.get(instanceId)?.interfaces ?? []).flatMap(({ addresses }) => {
      const one = addresses[target.version]
      return one ? [formatAddress(one)] : []
    })
    const address = formatAddress(target)
    if (own.length === 0 || to.protocol === 'tcp') return { result: 'no network' }
    for (const id of await rows.receivers(address, own)) {
      if (id === machineId || !(await takes(id, to, own[0]!))) continue
      return { result: 'open', address, answeredBy: await addressOf(id, target.version) }
    }
    return { result: 'lost', address }
  }

  async function addressOf(id: string, version: IpVersion): Promise<string | undefined> {
    const nics = (await rows.load(id))?.spec.interfaces ?? []
    return nics
      .flatMap(({ addresses }) => addresses.map(({ address }) => address))
      .find((address) => ipVersion(address) === version)
  }

  async function reach(to: Destination): Promise<Reached> {
    const { host, version, protocol, port } = to
    if (isLoopback(host)) {
      const address = host === '::1' || version === 'v6' ? '::1' : '127.0.0.1'
      const open = await takes(machineId, to, address)
      return { result: open ? 'open' : 'refused', address }
    }
    const given = parseAddress(host)
    const around = await networks.around(machineId, given ? [given] : [])
    if (!around) return { result: 'no network' }
    if (given && isMulticastAddress(given)) return cast(to, given, around)
    const target = given ?? resolve(around, host, version)
    if (!target) return { result: 'unknown' }
    const { network, instanceId } = around
    if ((version ?? target.version) !== target.version) return { result: 'unknown' }
    if (!hasVersion(network, instanceId, target.version)) return { result: 'no network' }
    const address = formatAddress(target)
    const answer = ask(network, {
      from: { type: 'instance', instance: instanceId },
      to: { type: 'address', address },
      protocol,
      port,
    })
    if (!answer.reachable) return { result: 'lost', address }
    const end = answer.there.at(-1)!
    // The internet is assumed to answer.
    if (!end.interface) return { result: 'open', address }
    // A probe answers echo requests, and listens on no port.
    if (!end.instance) return { result: protocol === 'icmp' ? 'open' : 'refused', address }
    const other = await around.machineOf(end.instance.id)
    const seen = answer.back.at(0)?.destination ?? answer.source!
    const open = other !== undefined && (await takes(other, to, seen))
    return { result: open ? 'open' : 'refused', address }
  }

  return {
    reach,
    groups: () => rows.groups(machineId),
    async listen(port) {
      const machine = await rows.load(machineId)
      if (!machine || servicePorts(machine.spec).has(port)) return undefined
      if (!(await rows.listen(machineId, port))) return undefined
      let renewed = performance.now()
      return {
        async heard() {
          if (performance.now() > renewed + RENEW_MS) {
            await rows.listenOn(machineId, port)
            renewed = performance.now()
          }
          return rows.heard(machineId, port)
        },
        close: () => rows.unlisten(machineId, port),
      }
    },
  }
}
