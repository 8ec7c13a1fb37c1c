/** libvirt's domains, as far as the engine needs them. */

/** The architecture and the board of our guests. */
export const ARCHITECTURE = 'x86_64'
export const MACHINE = 'q35'

/** `virDomainState`, by its numbers. */
export const states = [
  'none',
  'running',
  'blocked',
  'paused',
  'shutdown',
  'shutoff',
  'crashed',
  'suspended',
] as const
export type DomainState = (typeof states)[number]

/** `virDomainShutoffReason`, by its numbers. */
export const shutoffReasons = [
  'unknown',
  'shutdown',
  'destroyed',
  'crashed',
  'migrated',
  'saved',
  'failed',
  'from_snapshot',
  'daemon',
] as const
export type ShutoffReason = (typeof shutoffReasons)[number]

export interface DomainStatus {
  state: DomainState
  /** Why it is off; for other states `unknown`. */
  reason: ShutoffReason
  /** It waits for room on a disk, or for a disk that fails. */
  diskError: boolean
}

/** A change of a domain that libvirt has reported. */
export interface DomainEvent {
  uuid: string
  kind: 'lifecycle' | 'reboot'
  /** Why it has just stopped; undefined for other changes. */
  stopped?: ShutoffReason
}

/** A host, as its libvirt knows it. */
export interface NodeInfo {
  hostname: string
  /** Bytes. */
  memory: number
  threads: number
}

/** What a move of a domain has copied. Bytes, and bytes per second. */
export interface MoveProgress {
  total: number
  processed: number
  remaining: number
  rate: number
}

/** How far a copy of a disk is, with the bytes that the guest has written since. */
export interface CopyProgress {
  done: number
  total: number
}

/** Events may have been lost: the connection on which they come has ended. */
export interface Disconnection {
  kind: 'disconnected'
}

/** Statistics of a domain, named as in `virConnectGetAllDomainStats`: `cpu.time`, `net.0.name`… */
export type DomainStats = Readonly<Record<string, number | string>>

/**
 * Calls about domains. All of them take and return what a message between processes can carry, and a
 * call about one domain has its UUID first.
 */
export interface Domains {
  /** Versions as `9.0.0`, of the daemon's library and of QEMU. */
  versions: () => Promise<{ libvirt: string; qemu: string }>
  capabilities: () => Promise<string>
  nodeInfo: () => Promise<NodeInfo>
  /** Nanoseconds that each processor of the host has spent in each state. */
  processorTimes: () => Promise<Record<string, number>[]>
  /** Whether the host sees a file in a directory in which there are few others. */
  seesFile: (directory: string, name: string) => Promise<boolean>
  /** @param id of a storage pool */
  isPoolMounted: (id: string) => Promise<boolean>
  /**
   * Mounts a storage pool, now and at each start of the host.
   * @param xml a `pool`
   */
  mountPool: (xml: string) => Promise<void>
  /** Does nothing about a pool that is not there. */
  unmountPool: (id: string) => Promise<void>
  /** The clock of the host. Milliseconds. */
  clock: () => Promise<number>
  /**
   * The abilities of guests of our kind.
   * @param type of the domains: `kvm` or `qemu`
   */
  domainCapabilities: (type: string) => Promise<string>
  /** Defines a domain, or defines it anew. */
  define: (uuid: string, xml: string) => Promise<void>
  /** Boots a defined domain; does nothing if it is active. */
  create: (uuid: string) => Promise<void>
  /** Boots a domain that is gone when it stops, and when the process or its connection ends. */
  createTransient: (uuid: string, xml: string) => Promise<void>
  /** Undefined if there is no such domain. */
  status: (uuid: string) => Promise<DomainStatus | undefined>
  /** Whether all failing disks of a domain lack room; false without a failing disk. */
  lacksSpace: (uuid: string) => Promise<boolean>
  /** The status of each domain, by its UUID. */
  statuses: () => Promise<Map<string, DomainStatus>>
  /** Our own element of the metadata. */
  metadata: (uuid: string, namespace: string) => Promise<string | undefined>
  xml: (uuid: string) => Promise<string | undefined>
  /** Presses the power button. */
  shutdown: (uuid: string) => Promise<void>
  /** Presses the power button, and boots the domain again when the guest has powered off. */
  reboot: (uuid: string) => Promise<void>
  /** Presses the reset button. */
  reset: (uuid: string) => Promise<void>
  /** Pauses a domain, with everything written that its guest was told is written. */
  suspend: (uuid: string) => Promise<void>
  /** Continues a paused domain. */
  resume: (uuid: string) => Promise<void>
  /**
   * Makes the disks of an active domain continue in other files, which exist, from one moment on.
   * @param xml a `domainsnapshot`
   */
  switchDisks: (uuid: string, xml: string) => Promise<void>
  /**
   * Enlarges the image behind a disk of an active domain, and tells the guest; does nothing if it has
   * that size.
   * @param target as `vda`
   * @param size bytes
   */
  resizeDisk: (uuid: string, target: string, size: number) => Promise<void>
  /**
   * Begins to copy a disk of an active domain to another file, and to keep both the same.
   * @param target as `vda`
   * @param xml a `disk` with that file, which is empty and as large as the disk
   */
  copyDisk: (uuid: string, target: string, xml: string) => Promise<void>
  /** How far the copy of a disk is; undefined if it is not being copied. */
  copyProgress: (uuid: string, target: string) => Promise<CopyProgress | undefined>
  /** Asks for the guest to go on with the copy alone, once both are the same. */
  pivotDisk: (uuid: string, target: string) => Promise<void>
  /** Asks for the end of a copy: the guest goes on with the disk itself. */
  stopCopy: (uuid: string, target: string) => Promise<void>
  /**
   * Asks the agent in the guest to freeze its file systems. After a failure they may still be frozen
   * later.
   * @param seconds for each answer of the agent
   * @returns number of frozen file systems
   */
  freeze: (uuid: string, seconds: number) => Promise<number>
  /** Asks the agent in the guest to thaw its file systems. Does nothing if they are not frozen. */
  thaw: (uuid: string, seconds: number) => Promise<number>
  /** Ends the domain at once. */
  destroy: (uuid: string) => Promise<void>
  /** Removes an inactive domain. */
  undefine: (uuid: string) => Promise<void>
  /** Statistics of all active domains, by their UUIDs. */
  stats: () => Promise<Map<string, DomainStats>>
  /**
   * The present picture of the screen, and its format as a MIME type; undefined if the domain is
   * not active.
   */
  screenshot: (uuid: string) => Promise<{ type: string; data: Uint8Array<ArrayBuffer> } | undefined>
  /**
   * Moves an active domain to another host, while its guest runs. If it fails, or the connection to
   * either host is lost, the guest goes on here. Its limit is long: see `stopMove` and `expire`.
   * @param uri libvirt of the other host
   * @param isEncrypted whether QEMU encrypts what it sends, with certificates of both hosts
   */
  move: (uuid: string, uri: string, isEncrypted: boolean) => Promise<void>
  /** How far a move is; undefined if the domain is not being moved. */
  moveProgress: (uuid: string) => Promise<MoveProgress | undefined>
  /** Stops the move of a domain, which goes on here; does nothing if it is not being moved. */
  stopMove: (uuid: string) => Promise<void>
  /** Sends a command to QEMU's monitor: QMP as JSON, or a line for people. */
  monitor: (uuid: string, command: string, human?: boolean) => Promise<string>
  /** @returns ends the subscription */
  subscribe: (changed: (event: DomainEvent | Disconnection) => void) => () => void
  close: () => Promise<void>
}

/** libvirt, as the server uses it. */
export interface Libvirt extends Domains {
  uri: string
  /**
   * Abandons the calls about a domain, except those that end it, or all calls: they fail with
   * `AbandonedCall`, and go on in libvirt.
   */
  abandon: (uuid?: string) => void
  /** Whether a call about a domain has begun, and not ended; otherwise it may wait for its turn. */
  isRunning: (name: keyof Domains, uuid: string) => boolean
  /** Ends a call about a domain, also an abandoned one, as if its time had passed. */
  expire: (name: keyof Domains, uuid: string) => void
}
