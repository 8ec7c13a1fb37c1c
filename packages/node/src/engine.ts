import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DatabaseHost, type OtherEngineError, ownerOf } from '@steading/control-plane'
import { composeEngine, partsWithout } from '@steading/control-plane/engine'
import { type Engine, EngineStartError } from '@steading/control-plane/ports'
import { errorMessage } from '@steading/files'
import type { UplinkHost } from '@steading/frr'
import type { LibvirtEngineOptions } from '@steading/libvirt'
import { simulatedEngine } from '@steading/simulator'
import { type EngineName, engineNames, type ServerConfig } from './config.ts'
import { makeSharedVolumes, requireUsable, unusable } from './disk-directories.ts'
import { StartError } from './errors.ts'
import { requireOwnAddress, requireProxiesElsewhere } from './listening.ts'
import { chooseNetworks, type HostNetworks } from './host-networks.ts'
import { keepingFree } from './free-space.ts'
import { fileBlockStore } from './volumes/file-block-store.ts'
import { machinesDirectory, volumesDirectory } from './volumes/names.ts'

/** Looks at the file system of a directory for disks in a process: calls to a dead one do not end. */
export async function fileSystemOf(directory: string) {
  const { createGuardedCalls } = await import('@steading/libvirt')
  return createGuardedCalls().look(directory)
}

/** @throws StartError if the file system of a directory for disks is silent */
async function requireAnswer(directory: string, option: string): Promise<void> {
  if ((await fileSystemOf(directory)) === 'silent') {
    throw unusable(directory, option, 'it does not answer')
  }
}

/**
 * Where the machines and their volumes are: on this host, or on hosts that operators add, which all
 * see one directory.
 * @throws StartError
 */
async function placeOf(config: ServerConfig): Promise<LibvirtEngineOptions> {
  const { data, libvirt, libvirtVolumes, sharedDirectory } = config
  if (sharedDirectory === undefined) {
    if (libvirtVolumes !== undefined) {
      await requireAnswer(libvirtVolumes, '--libvirt-volumes')
      await requireUsable(libvirtVolumes, '--libvirt-volumes')
    }
    return {
      directory: machinesDirectory(data),
      ...(libvirt === undefined ? {} : { uri: libvirt }),
      ...(libvirtVolumes === undefined ? {} : { volumes: libvirtVolumes }),
    }
  }
  await requireAnswer(sharedDirectory, '--shared-directory')
  return {
    addedHosts: true,
    directory: sharedDirectory,
    volumes: await makeSharedVolumes(sharedDirectory, config),
    sockets: join(machinesDirectory(data), 'sockets'),
  }
}

/** How each engine is made of the settings; nothing of an engine runs before it is opened. */
const engines: Record<
  EngineName,
  (config: ServerConfig, networks: HostNetworks | undefined) => Promise<Engine>
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
      moveMs: config.bootMs * (3 / 2),
    })
  },
  async libvirt(config, networks) {
    const { cpuOvercommit, keepFree, forwardAddress } = config
    requireProxiesElsewhere(config.trustedProxies)
    requireOwnAddress(forwardAddress, '--forward-address')
    const place = await placeOf(config)
    // Only this engine needs its libraries.
    const { libvirtEngine } = await import('@steading/libvirt')
    const machines = libvirtEngine({
      ...place,
      cpuOvercommit,
      rebootMs: config.rebootWaitMs,
      keepFree,
      forwardAddress,
      encryptMoves: config.encryptMoves,
      ...networks?.libvirt,
    })
    const { fencing } = await import('@steading/fencing')
    return composeEngine(
      ...machines.parts,
      ...(networks ? [networks.part] : []),
      ...(place.addedHosts ? [fencing] : []),
    )
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

/** Why real machines cannot have their disks in a directory; undefined if they can. */
export async function directoryProblem(directory: string): Promise<string | undefined> {
  const { requireLocks } = await import('@steading/libvirt')
  const sockets = await mkdtemp(join(tmpdir(), 'steading-'))
  try {
    await requireLocks(directory, sockets)
    return undefined
  } catch (error) {
    if (error instanceof EngineStartError) return error.message
    throw error
  } finally {
    await rm(sockets, { recursive: true, force: true })
  }
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
      : port === 'uplinks'
        ? owner === 'frr'
          ? 'start with the file of --uplinks, or choose another database'
          : 'start without --uplinks, or choose another database'
        : 'start with that part, or choose another database'

/**
 * The hosts of uplinks that the operator names; undefined without a file of them.
 * @throws StartError
 */
async function uplinkHosts({ uplinks }: ServerConfig): Promise<UplinkHost[] | undefined> {
  if (uplinks === undefined) return undefined
  const { readUplinkHosts } = await import('@steading/frr')
  try {
    return readUplinkHosts(await readFile(uplinks, 'utf8'))
  } catch (error) {
    throw new StartError(`--uplinks ${uplinks}: ${errorMessage(error)}`)
  }
}

/** An engine with uplinks on hosts instead of its own. */
async function withUplinks(engine: Engine, config: ServerConfig): Promise<Engine> {
  const hosts = await uplinkHosts(config)
  if (!hosts) return engine
  const { frrUplinks } = await import('@steading/frr')
  return composeEngine(...partsWithout(engine, 'uplinks'), frrUplinks(hosts))
}

/** What is wrong with the hosts of uplinks, and their versions. */
export async function uplinkProblems(
  config: ServerConfig,
): Promise<{ host: string; faults: string[]; versions: string }[]> {
  const hosts = await uplinkHosts(config)
  if (!hosts) return []
  const { uplinkFaults } = await import('@steading/frr')
  return Promise.all(
    hosts.map(async (host) => ({ host: host.name, ...(await uplinkFaults(host)) })),
  )
}

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

interface CreatedEngine extends Choice {
  engine: Engine
  networks: HostNetworks | undefined
  /** Why machines do not reach each other although nobody has asked for that, or not yet. */
  networkProblem: string | undefined
}

/**
 * The engine of this host, by its settings. No other module depends on its implementation.
 * @param database to which an engine may belong
 */
export async function createEngine(
  config: ServerConfig,
  database?: DatabaseHost,
): Promise<CreatedEngine> {
  const owner = config.engine === 'auto' && database ? await engineNameOf(database) : undefined
  const choice = await choose(config, owner)
  const isReal = choice.name === 'libvirt'
  const { networks, problem } = isReal ? await chooseNetworks(config, database) : {}
  const engine = await withUplinks(await engines[choice.name](config, networks), config)
  return { ...choice, engine, networks, networkProblem: problem }
}
