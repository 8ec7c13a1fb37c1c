import { constants } from 'node:fs'
import { access, readFile, stat } from 'node:fs/promises'
import { isIP } from 'node:net'
import { dirname, join } from 'node:path'
import { type DatabaseHost, type OtherEngineError, ownerOf } from '@steading/control-plane'
import { composeEngine } from '@steading/control-plane/engine'
import type { Engine, EnginePart } from '@steading/control-plane/ports'
import { errorMessage } from '@steading/files'
import { simulatedEngine } from '@steading/simulator'
import { type EngineName, engineNames, type ServerConfig } from './config.ts'
import { StartError } from './errors.ts'
import { isLoopback, requireOwnAddress, requireProxiesElsewhere } from './listening.ts'
import { keepingFree } from './free-space.ts'
import { fileBlockStore } from './volumes/file-block-store.ts'
import { machinesDirectory, volumesDirectory } from './volumes/names.ts'

/**
 * Refuses a directory for volumes that nobody has made: it may be where a file system is yet to be
 * mounted.
 * @throws StartError
 */
async function requireUsable(directory: string): Promise<void> {
  const { R_OK, W_OK, X_OK } = constants
  const reason = await stat(directory)
    .then(async (found) => {
      if (!found.isDirectory()) return 'it is not a directory'
      await access(directory, R_OK | W_OK | X_OK)
      return undefined
    })
    .catch((error: unknown) => errorMessage(error))
  if (reason !== undefined) {
    throw new StartError(`cannot use the directory ${directory} of --libvirt-volumes: ${reason}`)
  }
}

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

/** Bytes of the largest packet of a machine: on one host, no tunnel takes any. */
const MTU = 1500

/**
 * The networks of real machines, if they have any besides those of QEMU. A database that has had
 * them keeps them, also while OVN does not run.
 * @throws StartError if they are asked for and this host cannot have them
 */
async function networksOf(
  { networks, ovnNorthbound }: ServerConfig,
  database: DatabaseHost | undefined,
): Promise<EnginePart | undefined> {
  const owner = database && (await ownerOf(database, 'vpcNetworks'))
  if (networks === 'user' && owner === undefined) return undefined
  const { ovnMissing, ovnNetworks, runHere } = await import('@steading/ovn')
  const southbound = join(dirname(ovnNorthbound), 'ovnsb_db.sock')
  if (owner === undefined) {
    const isNew = database !== undefined && (await ownerOf(database)) === undefined
    if (networks === 'auto' && !isNew) return undefined
    const missing = await ovnMissing([ovnNorthbound, southbound])
    if (missing && networks === 'auto') return undefined
    if (missing) throw new StartError(`--networks ovn: ${missing.reason}; ${missing.remedy}`)
  }
  return ovnNetworks({
    northbound: ovnNorthbound,
    southbound,
    guests: { mtu: MTU, nameServers: await nameServers() },
    run: runHere,
  })
}

/** How each engine is made of the settings; nothing of an engine runs before it is opened. */
const engines: Record<
  EngineName,
  (config: ServerConfig, database?: DatabaseHost) => Promise<Engine>
> = {
  async simulated(config) {
    const volumes = keepingFree(
      fileBlockStore(volumesDirectory(config.data)),
      config.data,
      config.keepFree,
    )
    return simulatedEngine(volumes, {
      bootMs: config.bootMs,
      stopMs: config.bootMs * (3 / 8),
      rebootMs: config.bootMs * (3 / 4),
    })
  },
  async libvirt(config, database) {
    const { data, libvirt, libvirtVolumes, cpuOvercommit, keepFree, forwardAddress } = config
    requireProxiesElsewhere(config.trustedProxies)
    requireOwnAddress(forwardAddress, '--forward-address')
    if (libvirtVolumes !== undefined) await requireUsable(libvirtVolumes)
    // Only this engine needs its libraries.
    const { libvirtEngine } = await import('@steading/libvirt')
    const networks = await networksOf(config, database)
    const machines = libvirtEngine({
      directory: machinesDirectory(data),
      cpuOvercommit,
      rebootMs: config.rebootWaitMs,
      keepFree,
      forwardAddress,
      ...(libvirt === undefined ? {} : { uri: libvirt }),
      ...(libvirtVolumes === undefined ? {} : { volumes: libvirtVolumes }),
    })
    return composeEngine(...machines.parts, ...(networks ? [networks] : []))
  },
}

/** Problems of real machines on this host: missing software, or the paths of their sockets. */
export async function machineProblems({
  libvirt,
}: ServerConfig): Promise<{ missing?: string; sockets?: { reason: string; advice: string } }> {
  const { defaultUri, machinesUnavailable, socketsProblem } = await import('@steading/libvirt')
  const uri = libvirt ?? defaultUri()
  const missing = await machinesUnavailable(uri)
  return missing === undefined ? { sockets: socketsProblem(uri) } : { missing }
}

/** The engine to which a database belongs; undefined for a new one. */
export async function engineNameOf(database: DatabaseHost): Promise<EngineName | undefined> {
  const owner = await ownerOf(database)
  return engineNames.find((name) => name === owner)
}

/** Advice to operators whose database belongs to another engine. */
export const otherEngineAdvice = ({ port, owner }: OtherEngineError): string =>
  port === 'machines'
    ? `start with --engine ${owner}, or choose another database`
    : port === 'vpcNetworks'
      ? `start with --networks ${owner}, or choose another database`
      : 'start with that part, or choose another database'

/** A chosen engine. */
interface Choice {
  name: EngineName
  /** Why machines are simulated although nobody has asked for that. */
  reason?: string
}

async function choose({ engine, libvirt }: ServerConfig, owner?: EngineName): Promise<Choice> {
  if (engine !== 'auto') return { name: engine }
  if (owner !== undefined) return { name: owner }
  const { machinesUnavailable } = await import('@steading/libvirt')
  const reason = await machinesUnavailable(libvirt)
  return reason === undefined ? { name: 'libvirt' } : { name: 'simulated', reason }
}

/**
 * The engine of this host, by its settings. No other module depends on its implementation.
 * @param database to which an engine may belong
 */
export async function createEngine(
  config: ServerConfig,
  database?: DatabaseHost,
): Promise<{ engine: Engine } & Choice> {
  const owner = config.engine === 'auto' && database ? await engineNameOf(database) : undefined
  const choice = await choose(config, owner)
  return { ...choice, engine: await engines[choice.name](config, database) }
}
