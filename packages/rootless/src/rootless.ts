/** A host for OVN and libvirt in namespaces of an ordinary user. */
import { constants } from 'node:fs'
import {
  chmod,
  type FileHandle,
  mkdir,
  open,
  readlink,
  realpath,
  rename,
  symlink,
} from 'node:fs/promises'
import { isIP } from 'node:net'
import { dirname, join } from 'node:path'
import { runCommand } from '@steading/commands'
import { errorMessage, ifMissing } from '@steading/files'
import { type HostPaths, hostPaths, rootlessPaths } from './host-paths.ts'
import { installProgram } from './program.ts'
import { type HostStatus, isRunning, readStatus } from './status.ts'

/** The only chassis: `system-id` of its Open vSwitch. */
export const CHASSIS = 'one'
/** Name of the network in `ovn-bridge-mappings`. */
export const OUTSIDE_NETWORK = 'outside'
/**
 * The device of the host at the network `outside`. Its addresses and routes stay when Open vSwitch
 * ends, unlike those of `br-outside`.
 */
export const OUTSIDE_DEVICE = 'outside'
/** The device of pasta: the way to the network of the machine, and in from it. */
export const PASTA_DEVICE = 'pasta0'
/** Queries to this address, over UDP, are answered by the first resolver of the machine. */
export const DNS_ADDRESS = '192.0.0.3'

/** A start takes a second on an idle machine. More than its script waits. Milliseconds. */
const START_MS = 300_000
/** Milliseconds. */
const COMMAND_MS = 30_000

export interface RootlessOptions {
  /** For everything that lasts: databases, logs, the domains of libvirt. Made if it is missing. */
  directory: string
  log: (message: string, detail?: unknown) => void
  /** Ports of the machine that lead into the namespace, including both, with their numbers. */
  forwards: {
    first: number
    last: number
    /**
     * The address of the machine on which they listen: 127.0.0.1 by default, 0.0.0.0 for all of
     * IPv4. Packets from ::1 cannot be forwarded.
     */
    address?: string
  }
}

export interface RootlessHealth extends HostStatus {
  /** Whether the supervisor had to be started again for this answer. */
  wasDown: boolean
}

export interface Rootless {
  /** Address of libvirt's daemon. */
  libvirtUri: string
  /** The directory of libvirt's logs. */
  libvirtLogs: string
  /** Paths of the sockets of OVN's databases. */
  northbound: string
  southbound: string
  /** Path of the log of `ovn-controller`. */
  controllerLog: string
  /** Path of the socket of Open vSwitch's database. */
  openvswitch: string
  /**
   * Runs a command in the namespaces, such as `ip`, `nft` or `ovn-trace`, for at most 30 seconds.
   * @throws CommandError with its last words
   */
  run: (command: string, ...args: string[]) => Promise<string>
  /** Runs a command in the namespaces with a text as its standard input, such as `nft -f -`. */
  feed: (input: string, command: string, ...args: string[]) => Promise<string>
  /**
   * How the daemons are. Starts the supervisor, and whatever else has ended, if it has to; another
   * `id` than before says that the namespaces are new, and have none of the routes and rules of
   * others.
   */
  health: () => Promise<RootlessHealth>
  /** Lets go; all runs on until no server and no guest needs it. */
  close: () => Promise<void>
  /** Ends everything at once, also guests. */
  end: () => Promise<void>
}

function requireForwards({ first, last, address = '127.0.0.1' }: RootlessOptions['forwards']) {
  const isPort = (port: number) => Number.isInteger(port) && port >= 1024 && port <= 65_535
  if (!isPort(first) || !isPort(last) || first > last) {
    throw new RangeError(`not a range of ports: ${first}-${last}`)
  }
  if (!isIP(address) || address === '::1') {
    throw new RangeError(`ports of this address cannot be forwarded: ${address}`)
  }
  return [String(first), String(last), address]
}

/** Opens the pipe by which the supervisor knows that a server is there, until the process ends. */
async function holdPipe(path: string): Promise<FileHandle> {
  // Open for both, because the supervisor may not read yet.
  const flags = constants.O_RDWR | constants.O_NONBLOCK
  const held = await open(path, flags).catch(ifMissing(undefined))
  if (held) return held
  await runCommand('mkfifo', ['-m', '600', path], { ms: COMMAND_MS }).catch(() => {
    // Another server was faster, or opening it says why.
  })
  return open(path, flags)
}

/** Makes the short path of the sockets: it goes when the user logs out. */
async function makeLink({ link, runtime }: HostPaths): Promise<void> {
  if ((await readlink(link).catch(() => undefined)) === runtime) return
  await mkdir(dirname(link), { recursive: true, mode: 0o700 })
  const unfinished = `${link}-${crypto.randomUUID()}`
  await symlink(runtime, unfinished)
  await rename(unfinished, link)
}

/**
 * Starts the host unless it runs.
 * @param verb `begin` also has one of another version or with other ports brought up to date, which
 *   two servers that differ must not do again and again
 */
async function start(verb: 'begin' | 'keep', paths: HostPaths, forwards: readonly string[]) {
  const { directory, runtime } = paths
  await makeLink(paths)
  const { script, version, removeOthers } = await installProgram(directory)
  // Without the file in the command: the supervisor must not inherit the lock.
  const lock = ['--close', '--timeout', String(START_MS / 1000), paths.startLock]
  const command = ['bash', script, verb, directory, runtime, version, ...forwards]
  await runCommand('flock', [...lock, ...command], { ms: 2 * START_MS })
  if (verb === 'begin') await removeOthers()
}

/**
 * Starts the host of a directory, or finds the one that runs, also one of another version, which is
 * then brought up to date while its guests run on. It outlives this process.
 * @throws if it does not start, with the reason
 */
export async function openRootless(options: RootlessOptions): Promise<Rootless> {
  const forwards = requireForwards(options.forwards)
  await mkdir(options.directory, { recursive: true, mode: 0o700 })
  const paths = hostPaths(await realpath(options.directory))
  for (const path of ['', 'logs', 'ovn', 'libvirt', 'runtime']) {
    await mkdir(join(paths.directory, path), { recursive: true, mode: 0o700 })
    await chmod(join(paths.directory, path), 0o700)
  }
  const held = await holdPipe(paths.servers)

  const status = async (): Promise<HostStatus> => {
    const found = await readStatus(paths.status)
    if (!found) throw new Error('the host without root does not run')
    return found
  }
  const feed = async (input: string, command: string, ...args: string[]): Promise<string> => {
    const { holder } = await status()
    const enter = ['--target', String(holder), '--user', '--net', '--mount']
    return runCommand('nsenter', [...enter, '--preserve-credentials', '--', command, ...args], {
      ms: COMMAND_MS,
      input,
    })
  }

  try {
    await start('begin', paths, forwards)
  } catch (error) {
    await held.close()
    throw new Error(`the host without root does not start: ${errorMessage(error)}`, {
      cause: error,
    })
  }
  let known = await status()
  for (const { name, state, reason } of known.daemons) {
    if (reason === undefined) continue
    const what = state === 'running' ? 'had to be started again' : 'does not run'
    options.log(`${name} of the host without root ${what}`, reason)
  }

  return {
    ...rootlessPaths(paths.directory),
    run: (command, ...args) => feed('', command, ...args),
    feed,
    async health() {
      await start('keep', paths, forwards)
      const found = await status()
      const wasDown = found.supervisor !== known.supervisor
      known = found
      return { ...found, wasDown }
    },
    close: () => held.close(),
    async end() {
      await stop(paths)
      await held.close()
    },
  }
}

/** Ends a host, and waits for its end. */
async function stop({ hostLock, status }: HostPaths): Promise<void> {
  const found = (await isRunning(hostLock)) ? await readStatus(status) : undefined
  if (!found) return
  process.kill(found.supervisor)
  await runCommand('flock', ['--timeout', '30', hostLock, 'true'], { ms: 2 * COMMAND_MS })
}
