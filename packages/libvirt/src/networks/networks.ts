/**
 * Implements machine networks with QEMU user-mode networking: outgoing connections, and
 * forwarded ports of the host for what the rules let in. A call writes what is wanted, and the server
 * on the host of the machine brings QEMU there: at once if it got the call, and otherwise in its next
 * scan. QEMU keeps its forwards while it runs, also while no server does.
 */
import type { OpenDatabase } from '@steading/control-plane/engine'
import type { Log, MachineNetworks, MachineNetworkStatus } from '@steading/control-plane/ports'
import { ipVersion, networkNeeds } from '@steading/api/rules'
import type { HostSet } from '../hosts/host-set.ts'
import type { Libvirt } from '../native/libvirt.ts'
import type { Rows } from '../rows.ts'
import { isActive } from '../state.ts'
import { createKeyedQueue } from '../keyed-queue.ts'
import { createScan } from '../scan.ts'
import { type Forward, forwardsOf } from './forwards.ts'
import { isAttached } from './attachment.ts'
import type { Forwarder } from './forwarder.ts'
import { createPorts, type Listening } from './ports.ts'
import { type LibvirtNetworkTable, type LibvirtPortTable, machineNetwork } from './tables.ts'
import { netdevName } from './user-network.ts'
import {
  addForward,
  type HostForward,
  isTaken,
  parseUsernet,
  removeForward,
  sameForward,
} from './usernet.ts'

/**
 * In user mode QEMU counts nothing: neither its monitor nor libvirt knows the bytes of an interface.
 */
const MEASURED = false

interface NetworkParts {
  database: Pick<OpenDatabase, 'db' | 'shared'>
  rows: Rows
  listening: Listening
  hosts: Pick<HostSet, 'drives' | 'answers'> & {
    of: (serial: string) => Promise<{ libvirt: Libvirt }>
  }
  /** Missing where external addresses of attached machines are reached from the host itself. */
  forwarder: Forwarder | undefined
  log: Log
  /** Interval of the scan for networks that other servers were asked to apply. Milliseconds. */
  scanMs: number
}

const isOf = (row: LibvirtPortTable, { external, protocol, port }: Forward): boolean =>
  row.external === external && row.protocol === protocol && row.guest_port === port

export function createNetworks(parts: NetworkParts): MachineNetworks {
  const { rows, listening, log } = parts
  const { db } = parts.database
  const ports = createPorts(parts.database)
  const { serialize, serializeOnce, settled } = createKeyedQueue()

  const load = (machineId: string): Promise<LibvirtNetworkTable | undefined> =>
    db
      .selectFrom('libvirt_network')
      .selectAll()
      .where('machine_id', '=', machineId)
      .executeTakeFirst()

  /** Whether the packets of a machine pass through the network of its VPC. */
  async function isElsewhere(machineId: string): Promise<boolean> {
    const row = await rows.load(machineId)
    return row !== undefined && isAttached(rows.spec(row))
  }

  /** The machine as it was booted: address in a subnet → the network of the interface. */
  async function netdevsOf(machineId: string): Promise<Map<string, string>> {
    const row = await rows.load(machineId)
    return new Map(
      (row ? rows.spec(row).interfaces : []).flatMap(({ addresses }, index) =>
        addresses.map(({ address }) => [address, netdevName(index)] as const),
      ),
    )
  }

  const toHostForward = (row: LibvirtPortTable, { guest }: Forward): HostForward => ({
    protocol: row.protocol,
    hostAddress: row.address,
    hostPort: row.port,
    guest,
    port: row.guest_port,
  })

  /** The forwards of a running machine, undefined if it does not run. */
  async function present(libvirt: Libvirt, machineId: string) {
    if (!isActive(await libvirt.status(machineId))) return undefined
    return parseUsernet(await libvirt.monitor(machineId, 'info usernet', true))
  }

  /** Listens for a forward, on another port if somebody else has the one it was given. */
  async function open(
    libvirt: Libvirt,
    machineId: string,
    netdev: string,
    forward: Forward,
    given: LibvirtPortTable,
  ): Promise<void> {
    const refused = new Set<number>()
    for (let row = given; ; row = await ports.take(machineId, forward, listening, refused)) {
      const command = addForward(netdev, toHostForward(row, forward))
      const answer = (await libvirt.monitor(machineId, command, true)).trim()
      if (answer === '') return
      if (!isTaken(answer)) throw new Error(`QEMU refused a forwarded port: ${answer}`)
      refused.add(row.port)
      await ports.give(row)
    }
  }

  async function noteApplied({ machine_id, version }: LibvirtNetworkTable): Promise<void> {
    await db
      .updateTable('libvirt_network')
      .set({ applied_version: version })
      .where('machine_id', '=', machine_id)
      .where('version', '=', version)
      .execute()
  }

  /** Ports of this host that are forwarded to a machine. */
  function isOurs({ host, address, port }: LibvirtPortTable): boolean {
    const { first, last } = listening.range()
    const isHere = host === listening.host && address === listening.address
    return isHere && first <= port && port <= last
  }

  /** Forwards all ports that attached machines have. */
  const forwardAll = (): Promise<void> =>
    serialize('forwards', async () => {
      if (!parts.forwarder) return
      const found = await db
        .selectFrom('libvirt_port')
        .innerJoin('libvirt_machine', 'libvirt_machine.id', 'libvirt_port.machine_id')
        .selectAll('libvirt_port')
        .where('libvirt_port.host', '=', listening.host)
        .execute()
      const attached = new Map<string, boolean>()
      for (const { machine_id } of found) {
        if (!attached.has(machine_id)) attached.set(machine_id, await isElsewhere(machine_id))
      }
      await parts.forwarder.forward(
        found
          .filter((row) => attached.get(row.machine_id) && isOurs(row))
          .map(({ protocol, port: hostPort, external, guest_port: port }) => ({
            protocol,
            hostPort,
            external,
            port,
          })),
      )
    })

  /** Gives an attached machine the ports that the rules let in, if it needs any. */
  async function carryOutElsewhere(row: LibvirtNetworkTable): Promise<void> {
    if (parts.forwarder) {
      const { forwards } = forwardsOf(machineNetwork.read(row.network), listening.address)
      // Ports of an IPv4 address lead to IPv4 addresses.
      const able = forwards.filter(({ external }) => ipVersion(external) === 'v4')
      const known = await ports.of(row.machine_id)
      const kept = known.filter((old) => isOurs(old) && able.some((forward) => isOf(old, forward)))
      for (const old of known) if (!kept.includes(old)) await ports.give(old)
      for (const forward of able) {
        if (kept.some((old) => isOf(old, forward))) continue
        await ports.take(row.machine_id, forward, listening)
      }
      await forwardAll()
    }
    await noteApplied(row)
  }

  /** Makes QEMU forward what is wanted, and nothing else. */
  async function carryOut(machineId: string): Promise<void> {
    const row = await load(machineId)
    if (!row) return
    if (await isElsewhere(machineId)) return carryOutElsewhere(row)
    const { libvirt } = await parts.hosts.of(row.host)
    const found = await present(libvirt, machineId)
    if (!found) return
    const netdevs = await netdevsOf(machineId)
    const { forwards } = forwardsOf(machineNetwork.read(row.network), listening.address)
    // An interface that the machine was booted without is there after its next start.
    const able = forwards.filter(({ guest }) => netdevs.has(guest))
    const known = await ports.of(machineId)
    const ours = known.filter(isOurs)
    // A port of a machine has one port of a host, so one at another address makes way first.
    for (const old of known) if (!ours.includes(old)) await ports.give(old)
    const wanted = new Map<string, { forward: Forward; row: LibvirtPortTable; at: HostForward }[]>()
    for (const forward of able) {
      const port =
        ours.find((one) => isOf(one, forward)) ?? (await ports.take(machineId, forward, listening))
      const netdev = netdevs.get(forward.guest)!
      const list = wanted.get(netdev) ?? []
      list.push({ forward, row: port, at: toHostForward(port, forward) })
      wanted.set(netdev, list)
    }
    // Ending forwards come first, because new ones may need their ports.
    for (const [netdev, has] of found) {
      const list = wanted.get(netdev) ?? []
      for (const old of has) {
        if (list.some(({ at }) => sameForward(at, old))) continue
        await libvirt.monitor(machineId, removeForward(netdev, old), true)
      }
    }
    for (const old of ours) {
      if (!able.some((forward) => isOf(old, forward))) await ports.give(old)
    }
    for (const [netdev, list] of wanted) {
      const has = found.get(netdev) ?? []
      for (const { forward, row: port, at } of list) {
        if (has.some((one) => sameForward(one, at))) continue
        await open(libvirt, machineId, netdev, forward, port)
      }
    }
    await noteApplied(row)
  }

  const endpointsOf = async (machineId: string) =>
    (await ports.of(machineId)).map((port) => ({
      external: port.external,
      protocol: port.protocol,
      port: port.guest_port,
      hostAddress: port.address,
      hostPort: port.port,
    }))

  /** Of a machine whose packets pass through the network of its VPC. */
  const attached = { notEnforced: [], measured: true }

  async function statusOf(machineId: string): Promise<MachineNetworkStatus> {
    const row = await load(machineId)
    if (!row)
      return { machineId, version: undefined, endpoints: [], notEnforced: [], measured: false }
    const version = row.applied_version ?? undefined
    if (await isElsewhere(machineId)) {
      return parts.forwarder
        ? { machineId, version, endpoints: await endpointsOf(machineId), ...attached }
        : { machineId, version, endpoints: [], direct: true, ...attached }
    }
    const network = machineNetwork.read(row.network)
    return {
      machineId,
      version,
      endpoints: await endpointsOf(machineId),
      notEnforced: forwardsOf(network, listening.address).notEnforced,
      measured: MEASURED,
    }
  }

  /** Whether QEMU listens on all ports of a machine of this host, as its row says. */
  async function isInEffect(machineId: string, host: string): Promise<boolean> {
    if (await isElsewhere(machineId)) return true
    const found = await present((await parts.hosts.of(host)).libvirt, machineId)
    const listens = [...(found?.values() ?? [])].flat()
    const wanted = await ports.of(machineId)
    return (
      found !== undefined &&
      wanted.every(
        (row) =>
          // The operator may have chosen another address since.
          row.address === listening.address &&
          listens.some(
            ({ protocol, hostAddress, hostPort, port }) =>
              protocol === row.protocol &&
              hostAddress === row.address &&
              hostPort === row.port &&
              port === row.guest_port,
          ),
      )
    )
  }

  async function carryOutAll(): Promise<boolean> {
    const late = await db
      .selectFrom('libvirt_network')
      .select(['machine_id', 'host'])
      .where((eb) =>
        eb.or([eb('applied_version', 'is', null), eb('applied_version', '<', eb.ref('version'))]),
      )
      .execute()
    for (const { machine_id, host } of late) {
      if (!parts.hosts.drives(host)) continue
      // A machine that fails or does not answer holds up no other.
      serializeOnce(machine_id, 'scan', () => carryOut(machine_id)).catch((error: unknown) =>
        log(`applying the network of ${machine_id} failed`, error),
      )
    }
    return late.some(({ host }) => parts.hosts.drives(host))
  }
  const { scanMs } = parts
  const { shared } = parts.database
  const name = 'applying the networks of machines'
  const scan = createScan({ name, scanMs, shared, log }, carryOutAll)

  return {
    // Port ranges are forwarded as far as they fit; IPv6 gets in through the IPv4 address.
    lacks: networkNeeds,
    measured: MEASURED,
    async apply(network) {
      const { machineId, version } = network
      const machine = await rows.load(machineId)
      if (!machine || machine.wanted === 'destroy') return statusOf(machineId)
      const values = { network: machineNetwork.write(network), version }
      await db
        .insertInto('libvirt_network')
        .values({ machine_id: machineId, host: machine.host, ...values, applied_version: null })
        .onConflict((conflict) =>
          conflict
            .column('machine_id')
            .doUpdateSet(values)
            .where('libvirt_network.version', '<=', version),
        )
        .execute()
      scan.soon()
      if (parts.hosts.drives(machine.host)) await serialize(machineId, () => carryOut(machineId))
      return statusOf(machineId)
    },
    remove: (machineId) =>
      serialize(machineId, async () => {
        const row = await load(machineId)
        if (row && parts.hosts.drives(row.host) && !(await isElsewhere(machineId))) {
          const { libvirt } = await parts.hosts.of(row.host)
          for (const [netdev, has] of (await present(libvirt, machineId)) ?? []) {
            for (const old of has) {
              await libvirt.monitor(machineId, removeForward(netdev, old), true)
            }
          }
        }
        await ports.giveAll(machineId)
        await forwardAll()
        await db.deleteFrom('libvirt_network').where('machine_id', '=', machineId).execute()
      }),
    async list() {
      // The host may have lost them.
      await forwardAll()
      const all = await db
        .selectFrom('libvirt_network')
        .select(['machine_id', 'host'])
        .orderBy('machine_id')
        .execute()
      const statuses: MachineNetworkStatus[] = []
      for (const { machine_id, host } of all) {
        const status = await statusOf(machine_id)
        const lost =
          parts.hosts.drives(host) &&
          parts.hosts.answers(host) &&
          status.version !== undefined &&
          // The last known state of a machine that does not answer.
          !(await serialize(machine_id, () => isInEffect(machine_id, host)).catch(
            (error: unknown) => {
              log(`looking at the network of ${machine_id} failed`, error)
              return true
            },
          ))
        statuses.push(lost ? { ...status, version: undefined } : status)
      }
      return statuses
    },
    start: scan.start,
    async close() {
      await scan.stop()
      await settled()
    },
  }
}
