/** The networks of real machines on this host. */
import { realpath, readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { isLoopback, networkFaults } from '@steading/api/rules'
import { type DatabaseHost, hasMachines, ownerOf } from '@steading/control-plane'
import type { EnginePart, Log } from '@steading/control-plane/ports'
import type { LibvirtEngineOptions, NetworkHosts } from '@steading/libvirt'
import type { OvnNeeds, PlainConnections, Remote } from '@steading/ovn'
import type { PortRange, Rootless } from '@steading/rootless'
import type { ServerConfig } from './config.ts'
import { StartError } from './errors.ts'

export type { PlainConnections }

export interface HostNetworks {
  part: EnginePart
  /** Options of the machines that belong to these networks. */
  libvirt: Partial<LibvirtEngineOptions>
  /** Starts what has to run on this host; the answer lets go of it. */
  begin?: (log: Log) => Promise<() => Promise<void>>
  /** What does not run on this host, in sentences without a full stop. */
  faults: () => Promise<string[]>
  /** Finds connections of OVN without TLS; undefined where no other machines take part. */
  plain?: () => Promise<PlainConnections>
}

/**
 * Bytes of the largest packet of a machine: on one host, no tunnel takes any, and between hosts,
 * Geneve takes 58.
 */
const MTU = { oneHost: 1500, severalHosts: 1442 } as const

/** Ports for machines, below those that Linux gives to outgoing connections, and those of a host. */
const FORWARDS = { first: 20_000, last: 29_999 }
const FORWARDS_OF_HOST = 500

/** Addresses of the name servers of this machine that others can reach as well. */
async function nameServers(): Promise<Record<'v4' | 'v6', string[]>> {
  const text = await readFile('/etc/resolv.conf', 'utf8').catch(() => '')
  const found = [...text.matchAll(/^nameserver\s+(\S+)$/gm)].map(([, address]) => address!)
  const elsewhere = found.filter((address) => isIP(address) !== 0 && !isLoopback(address))
  return {
    v4: elsewhere.filter((address) => isIP(address) === 4),
    v6: elsewhere.filter((address) => isIP(address) === 6),
  }
}

/** The OVN of the system, for root. */
async function systemNetworks(config: ServerConfig): Promise<HostNetworks> {
  const {
    bindPorts,
    daemonFaults,
    ovnMissing,
    ovnNetworks,
    plainConnections,
    runHere,
    silentParts,
    systemHost,
    tunnelOf,
  } = await import('@steading/ovn')
  const { northbound, southbound, needs } = ovnDatabases(config)
  const part = ovnNetworks({
    northbound,
    southbound,
    guests: {
      mtu: config.sharedDirectory === undefined ? MTU.oneHost : MTU.severalHosts,
      nameServers: await nameServers(),
    },
    host: systemHost(runHere, southbound, { hasOthers: config.sharedDirectory !== undefined }),
  })
  const faults = async () => {
    const missing = await ovnMissing(needs)
    if (missing) return [`${missing.reason}; ${missing.remedy}`]
    const silent = await silentParts(northbound, southbound)
    return [...(await daemonFaults(runHere, southbound)), ...silent]
  }
  const networkHosts: NetworkHosts = {
    tunnelOf: (hostname) => tunnelOf(southbound, hostname),
    bind: (ports, hostnames) => bindPorts(northbound, ports, hostnames),
  }
  const isAlone = config.sharedDirectory === undefined && typeof northbound === 'string'
  return {
    part,
    libvirt: { networkHosts },
    faults,
    ...(!isAlone && { plain: () => plainConnections(runHere) }),
  }
}

/** The usual port of OVN's southbound database. */
const SOUTHBOUND_PORT = 6642

/** The southbound databases, which are on the machines of the northbound ones. */
export const southboundOf = (northbound: readonly { host: string }[]) =>
  northbound.map(({ host }) => ({ host, port: SOUTHBOUND_PORT }))

/** OVN's databases, as the options name them. */
function ovnDatabases({
  ovnNorthbound,
  ovnPrivateKey: privateKey,
  ovnCertificate: certificate,
  ovnAuthority: authority,
}: ServerConfig): { northbound: Remote; southbound: Remote; needs: OvnNeeds } {
  if (typeof ovnNorthbound !== 'string') {
    const files = { privateKey, certificate, authority }
    return {
      northbound: { hosts: ovnNorthbound, ...files },
      southbound: { hosts: southboundOf(ovnNorthbound), ...files },
      needs: { files: Object.values(files) },
    }
  }
  const southbound = join(dirname(ovnNorthbound), 'ovnsb_db.sock')
  return { northbound: ovnNorthbound, southbound, needs: { sockets: [ovnNorthbound, southbound] } }
}

/** An OVN and a libvirt in namespaces of an ordinary user. */
async function rootlessNetworks(config: ServerConfig): Promise<HostNetworks> {
  const { data, forwardAddress } = config
  const { addUplinkAddresses, ovnNetworks, silentParts } = await import('@steading/ovn')
  const { CHASSIS, chooseForwards, DNS_ADDRESS, openRootless, rootlessDaemons, rootlessPaths } =
    await import('@steading/rootless')
  const directory = join(await realpath(data).catch(() => resolve(data)), 'host')
  const paths = rootlessPaths(directory)
  let host: Rootless | undefined
  let forwards: PortRange | undefined
  const running = (): Rootless => {
    if (!host) throw new Error('the host without root has not been started')
    return host
  }
  const part = ovnNetworks({
    northbound: paths.northbound,
    southbound: paths.southbound,
    guests: { mtu: MTU.oneHost, nameServers: { v4: [DNS_ADDRESS], v6: [] } },
    host: {
      run: (...command) => running().run(...command),
      controllerLog: paths.controllerLog,
      southbound: '/run/ovn/ovnsb_db.sock',
      async prepare() {
        const { id } = await running().health()
        await addUplinkAddresses(running().run)
        return { chassis: CHASSIS, id }
      },
    },
  })
  return {
    part,
    libvirt: {
      uri: paths.libvirtUri,
      logs: paths.libvirtLogs,
      forwardPorts: () => forwards ?? FORWARDS,
      forwarder: {
        async forward(ports) {
          const elements = ports.map(
            ({ protocol, hostPort, external, port }) =>
              `${protocol} . ${hostPort} : ${external} . ${port}`,
          )
          const map = 'inet steading forwards4'
          const added = elements.length > 0 ? `add element ${map} { ${elements.join(', ')} }\n` : ''
          await running().feed(`flush map ${map}\n${added}`, 'nft', '-f', '-')
        },
      },
    },
    async begin(log) {
      const address = forwardAddress
      forwards = await chooseForwards(directory, { ...FORWARDS, address }, FORWARDS_OF_HOST)
      try {
        host = await openRootless({ directory, log, forwards: { ...forwards, address } })
      } catch (error) {
        // One that runs needs nothing of this.
        const missing = await missingFor({ ...config, networks: 'ovn' })
        if (missing === undefined) throw error
        throw new StartError(`the networks of machines cannot run here: ${missing}`)
      }
      return host.close
    },
    async faults() {
      const daemons = await rootlessDaemons(directory)
      // It runs while a server or a guest needs it.
      if (daemons.length === 0) return []
      const ended = daemons
        .filter(({ state }) => state !== 'running')
        .map(({ name, reason }) => `${networkFaults.daemon.ended(name)}: ${reason}`)
      return [...ended, ...(await silentParts(paths.northbound, paths.southbound))]
    },
  }
}

const isRoot = (): boolean => process.getuid?.() === 0

/**
 * Why this host cannot have such networks, and what to do about it; undefined if it can. Nobody is
 * given them unasked who pays for them with slow guests.
 */
async function missingFor(config: ServerConfig): Promise<string | undefined> {
  const { libvirt, networks } = config
  if (!isRoot() && config.sharedDirectory !== undefined) {
    return 'hosts that operators add need the OVN of the system; start as root'
  }
  if (isRoot()) {
    const { ovnMissing } = await import('@steading/ovn')
    const missing = await ovnMissing(ovnDatabases(config).needs)
    return missing && `${missing.reason}; ${missing.remedy}`
  }
  if (libvirt !== undefined)
    return 'without root, it needs a libvirt of its own; leave out --libvirt'
  const { rootlessProblems } = await import('@steading/rootless')
  const problems = (await rootlessProblems()).filter(
    ({ prevents }) => prevents || networks === 'auto',
  )
  if (problems.length === 0) return undefined
  return problems.map(({ problem, remedy }) => `${problem} (${remedy})`).join('; ')
}

/**
 * The networks of real machines, besides those that QEMU makes for each machine alone. A database
 * that has had them keeps them, also while they cannot run.
 * @returns without networks, why there are none although nobody has asked for that; with networks,
 *   what is missing for them to run
 * @throws StartError if they are asked for and this host cannot have them, or if the database has
 *   others than those that are asked for
 */
export async function chooseNetworks(
  config: ServerConfig,
  database: DatabaseHost | undefined,
): Promise<{ networks?: HostNetworks; problem?: string }> {
  const { networks } = config
  const create = async () => ({
    networks: await (isRoot() ? systemNetworks(config) : rootlessNetworks(config)),
  })
  if (database && (await ownerOf(database, 'vpcNetworks')) !== undefined) {
    if (networks === 'user') {
      throw new StartError(
        '--networks user: the database has networks by OVN, and cannot go back; start without it, or choose another data directory',
      )
    }
    // Some of them may run already, or later.
    return { ...(await create()), problem: await missingFor({ ...config, networks: 'ovn' }) }
  }
  if (networks === 'user') return { problem: 'start it without --networks user' }
  const isNew = database !== undefined && (await ownerOf(database)) === undefined
  const missing = await missingFor(config)
  if (networks === 'auto') {
    if (!isNew) return { problem: missing ?? 'start it with --networks ovn' }
    return missing === undefined ? create() : { problem: missing }
  }
  if (missing !== undefined) throw new StartError(`--networks ovn: ${missing}`)
  // Its libvirt is another one, which does not know them.
  if (!isRoot() && !isNew && database && (await hasMachines(database))) {
    throw new StartError(
      '--networks ovn: instances are running; start without it, stop them all, and try again',
    )
  }
  return create()
}
