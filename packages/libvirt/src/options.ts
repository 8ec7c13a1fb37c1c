import { RESUME_FREE } from '@steading/api/rules'
import type { CallLimits } from './native/lanes.ts'
import type { Forwarder } from './networks/forwarder.ts'
import type { PortRange } from './networks/ports.ts'

/** The networks of VPCs between hosts, which know a host by its name. */
export interface NetworkHosts {
  /** The address at which packets of others reach a host; undefined if the host takes no part. */
  tunnelOf: (hostname: string) => Promise<string | undefined>
  /**
   * Binds ports to the hosts between which their machine moves.
   * @param hostnames none once the move has ended
   */
  bind: (ports: readonly string[], hostnames: readonly string[]) => Promise<void>
}

/** Options of the engine. Times in milliseconds. */
export interface LibvirtOptions {
  /** Address of libvirt, such as `qemu:///session`. */
  uri: string
  /** The directory of libvirt's logs, where it is not that of the packages. */
  logs?: string
  /** Where the files of machines and volumes are kept: a directory within the data directory. */
  directory: string
  /**
   * Whether machines run on hosts that operators add, instead of on the host of this server. All of
   * them see `directory`.
   */
  addedHosts?: boolean
  /** Whether moves between hosts are encrypted, with the certificates of QEMU on both. */
  encryptMoves: boolean
  /** Missing without networks of VPCs between hosts. */
  networkHosts?: NetworkHosts
  /** Threads that machines may have in total for each thread of the host. */
  cpuOvercommit: number
  /**
   * The directory of volumes on a file system of the operator's choice, which has to be there; by
   * default, a directory within that of the engine.
   */
  volumes?: string
  /** Where servers of this machine find each other's processes, if not beside the volumes. */
  sockets?: string
  /** Bytes that writes to volumes leave free on the file system of each storage pool. */
  keepFree: number
  /** Bytes above `keepFree` that are free before a guest continues that waited for room. */
  resumeFree: number
  /** A machine that has not powered off this long after its power button was pressed is ended. */
  stopMs: number
  /** A machine that has not rebooted this long after its power button was pressed is reset. */
  rebootMs: number
  /** An agent in a guest has this long for each answer. Seconds. */
  agentSeconds: number
  /** Time limits of calls to libvirt that differ from `callLimits`. */
  callLimits?: Partial<CallLimits>
  /** The address of this host on which ports are forwarded to machines. */
  forwardAddress: string
  /** The ports of this host that may be forwarded to machines. */
  forwardPorts: () => PortRange
  /** Forwards ports to machines that are attached to a network of VPCs, if they need it. */
  forwarder?: Forwarder
  /** The start of a server waits no longer for libvirt. */
  answerMs: number
  /** Interval at which machines are compared with their domains, besides libvirt's events. */
  scanMs: number
  /** Interval of the reports on this host, and of the search for domains of nobody. */
  reportMs: number
}

/** Only root has access to the libvirt of the system; everybody has one of their own. */
export const defaultUri = (): string =>
  process.getuid?.() === 0 ? 'qemu:///system' : 'qemu:///session'

/** Used unless an option is given. */
export const defaults = {
  // Most guests idle most of the time, and a laptop has few threads.
  cpuOvercommit: 8,
  // Hosts need certificates for it.
  encryptMoves: false,
  keepFree: 0,
  resumeFree: RESUME_FREE,
  stopMs: 60_000,
  // systemd gives services 90 seconds.
  rebootMs: 120_000,
  agentSeconds: 5,
  // Below the ports that Linux gives to outgoing connections.
  forwardAddress: '127.0.0.1',
  forwardPorts: () => ({ first: 20_000, last: 29_999 }),
  answerMs: 5_000,
  scanMs: 2_000,
  reportMs: 60_000,
} as const
