/** The networks of VPCs as a part of an engine. */
import { setImmediate } from 'node:timers/promises'
import {
  type EnginePart,
  EngineStartError,
  type Log,
  type VpcNetworks,
} from '@steading/control-plane/ports'
import type { OpenDatabase } from '@steading/control-plane/engine'
import { compile } from '@steading/network'
import { MACHINE_BRIDGE, type NetworkHost, UPLINK_NETWORK } from './host/host.ts'
import { createProbes, type Probe, probesOf } from './host/probes.ts'
import { applyRoutes } from './host/routes.ts'
import { type Northbound, openNorthbound } from './northbound/northbound.ts'
import { type Gateways, openGateways } from './observe/gateways.ts'
import type { Patience } from './observe/hosts.ts'
import { observe } from './observe/observe.ts'
import { type Remote, remoteName } from './ovsdb/remote.ts'
import { createPacketSender } from './packet/sender.ts'
import { canWatch } from './packet/watch.ts'
import { rowsOfVpc, type VpcSettings } from './vpc/index.ts'
import type { DesiredRow } from './vpc/rows.ts'
import type { GuestSettings } from './vpc/switches.ts'
import { hostRoutes, nextHopTo } from './vpc/uplink.ts'

export interface OvnOptions {
  /** OVN's databases. */
  northbound: Remote
  southbound: Remote
  guests: GuestSettings
  /** The host of the machines. */
  host: NetworkHost
  /** How long its parts may take to answer. */
  patience?: Patience
}

interface Parts extends OvnOptions {
  database: Pick<OpenDatabase, 'db'>
  log: Log
}

/** The installation to which the networks belong: its rack, of which a restored backup is the same. */
async function ownerOf({ db }: Parts['database']): Promise<string> {
  const rack = await db.selectFrom('rack').select('id').orderBy('id').executeTakeFirstOrThrow()
  return rack.id
}

interface Running {
  northbound: Northbound
  gateways: Gateways
  /** The host of this server among OVN's chassis. */
  chassis: string
}

export function createVpcNetworks(parts: Parts): VpcNetworks {
  const { host, guests, log } = parts
  const { run } = host
  const probes = createProbes(run)
  let hostId: string | undefined
  let isBlind = false
  let opened: Promise<Running> | undefined
  /** What this server has applied. The rest is applied anew, because nobody has looked at it yet. */
  const applied = new Map<string, readonly DesiredRow[]>()
  /** The probes of the same VPCs. */
  const probed = new Map<string, readonly Probe[]>()
  /** The gateways with which they were applied. */
  let ways = ''

  async function prepare(): Promise<string> {
    const { chassis, id } = await host.prepare()
    // After a start of the host, nothing is left of what was applied to it.
    if (id !== hostId) applied.clear()
    if (id !== hostId || isBlind) isBlind = !(await canWatch(run))
    probes.forget()
    hostId = id
    return chassis
  }

  async function open(): Promise<Running> {
    const chassis = await prepare()
    const owner = await ownerOf(parts.database)
    const lost = (problem: string) => log(`the connection to OVN is lost: ${problem}`)
    const northbound = await openNorthbound({ remote: parts.northbound, owner, log: lost })
    const [other] = northbound.others()
    if (other !== undefined) {
      northbound.close()
      throw new EngineStartError(
        `OVN's database at ${remoteName(parts.northbound)} has the networks of another installation (${other})`,
      )
    }
    try {
      const gateways = await openGateways(parts.southbound, chassis, lost)
      return { northbound, gateways, chassis }
    } catch (error) {
      northbound.close()
      throw error
    }
  }
  /** Settings of networks, which are the same at all servers. */
  const settingsWith = ({ gateways }: Running): VpcSettings => ({
    ...guests,
    uplink: { network: UPLINK_NETWORK, chassis: gateways.chassis() },
  })
  /** Tries again after a failure: OVN may be started later. */
  const running = (): Promise<Running> =>
    (opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    }))

  const observer = observe(parts, async () => {
    const { northbound, chassis } = await running()
    return { northbound, chassis: [chassis] }
  })

  return {
    ...observer.port,
    attachment: (interfaceId, mtu = guests.mtu) => ({
      kind: 'openvswitch',
      bridge: MACHINE_BRIDGE,
      port: interfaceId,
      mtu,
    }),
    async apply({ vpcId, version, rows, multicast }) {
      const present = await running()
      const { northbound } = present
      const settings = settingsWith(present)
      const vpc = compile(rows).vpcs.get(vpcId)!
      // A large VPC takes as long as a turn may: other work goes in between.
      await setImmediate()
      const desired = rowsOfVpc(vpc, settings, multicast)
      await setImmediate()
      const { version: there } = await northbound.apply(vpcId, version, desired)
      if (there !== version) return { version: there }
      await applyRoutes(run, nextHopTo(vpcId), hostRoutes(vpc))
      const wanted = probesOf(vpc, settings.mtu)
      await probes.apply(vpcId, wanted)
      await northbound.inEffect(observer.others)
      applied.set(vpcId, desired)
      probed.set(vpcId, wanted)
      return { version }
    },
    async remove(vpcId) {
      const { northbound } = await running()
      applied.delete(vpcId)
      probed.delete(vpcId)
      // The routes first: whoever lists networks afterwards still finds the VPC after a crash.
      await applyRoutes(run, nextHopTo(vpcId), [])
      await probes.apply(vpcId, [])
      await northbound.remove(vpcId)
    },
    async list() {
      const { northbound, gateways } = await running()
      await prepare()
      const found = gateways.chassis().join()
      if (found !== ways) applied.clear()
      ways = found
      const there = northbound.list()
      const level = await northbound.level(applied, () => setImmediate())
      for (const [vpcId, wanted] of probed)
        if (!(await probes.isLevel(vpcId, wanted))) level.delete(vpcId)
      return there.map(({ vpcId, version }) =>
        level.has(vpcId) ? { vpcId, version } : { vpcId, version: undefined },
      )
    },
    sendPacket: createPacketSender({
      host,
      northbound: async () => (await running()).northbound,
      log,
    }),
    isBlind: () => isBlind,
    async start() {
      observer.start()
      try {
        await running()
      } catch (error) {
        if (error instanceof EngineStartError) throw error
        log('OVN cannot be used yet; trying again', error)
      }
    },
    async close() {
      observer.close()
      const it = await opened?.catch(() => undefined)
      it?.northbound.close()
      it?.gateways.close()
    },
  }
}

/** Networks of VPCs by OVN and Open vSwitch. */
export const ovnNetworks = (options: OvnOptions): EnginePart => ({
  name: 'ovn',
  ports: ['vpcNetworks'],
  open: ({ database, log }) => ({ vpcNetworks: createVpcNetworks({ ...options, database, log }) }),
})
