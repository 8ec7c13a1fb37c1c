/**
 * The calls of the engine to libvirt, which `libvirt-calls.ts` makes in a separate process: a thread
 * that waits in libvirt can only be ended with its process.
 */
import { type Calls, type Connection, createConnection, createConnections } from './connection.ts'
import { beginCopy, copyProgress, endCopy } from './copies.ts'
import { errorCodes, LibvirtError } from './errors.ts'
import { runEventLoop } from './event-loop.ts'
import { type CallName, callRules, type Lane, lanes } from './lanes.ts'
import { type Library, libvirtLibrary, type Pointer, type RemoteName } from './library.ts'
import { moveDomain, moveProgress } from './moves.ts'
import { nodeInfo, processorTimes } from './node.ts'
import { takeScreenshot } from './screenshot.ts'
import { hostClock, isPoolMounted, mountPool, seesFile, unmountPool } from './storage.ts'
import {
  ARCHITECTURE,
  type Disconnection,
  type DomainEvent,
  type Domains,
  type DomainStats,
  type DomainStatus,
  MACHINE,
  type ShutoffReason,
  shutoffReasons,
  states,
} from './types.ts'

/** `virDomainEventType`. */
const STOPPED = 5
/** `virDomainEventStoppedDetailType`, by its numbers. */
const stoppedReasons = [
  'shutdown',
  'destroyed',
  'crashed',
  'migrated',
  'saved',
  'failed',
  'from_snapshot',
] as const satisfies ShutoffReason[]

/** `VIR_DOMAIN_PAUSED_IOERROR`. */
const PAUSED_IOERROR = 5

/** `VIR_DOMAIN_DISK_ERROR_NO_SPACE`. */
const NO_SPACE = 2
/** `virDomainDiskError`: a pointer to the name of the disk, and the error. */
const DISK_ERROR_BYTES = 16
/** More disks than a domain has. */
const DISKS_MAX = 32

/** Flags of the calls. */
const ACPI = 1
const AUTO_DESTROY = 2
const UNDEFINE = 1 | 2 | 4 | 16 // managed save, snapshots, NVRAM, checkpoints
const METADATA_ELEMENT = 2
const NO_WAIT = 1 << 29
const ACTIVE = 1
const STATS = { state: 1, cpu: 2, balloon: 4, vcpu: 8, interface: 16, block: 32 } as const
/** Only disks, in files that exist, without a record of it, all or none. */
const SWITCH_DISKS = 4 | 16 | 32 | 128
/** The flag of `virDomainBlockResize` for sizes in bytes. */
const IN_BYTES = 1
const UUID_BYTES = 37
const HUMAN_MONITOR = 1

/** `virDomainEventID`. */
const LIFECYCLE = 0
const REBOOT = 1

/** `virTypedParameterType` → the member of its value. */
const members = ['', 'int', 'uint', 'long', 'ulong', 'double', 'boolean', 'text'] as const

const versionOf = (value: number): string =>
  [Math.floor(value / 1e6), Math.floor(value / 1e3) % 1e3, value % 1e3].join('.')

const statusOf = (state: number, reason: number): DomainStatus => {
  const name = states[state] ?? 'none'
  return {
    state: name,
    reason: (name === 'shutoff' && shutoffReasons[reason]) || 'unknown',
    diskError: name === 'paused' && reason === PAUSED_IOERROR,
  }
}

/** The result of a call that failed: undefined for failures with these codes. @throws others */
const undefinedFor =
  (...codes: (keyof typeof errorCodes)[]) =>
  (error: unknown): undefined => {
    const isExpected = (code: number) => codes.some((name) => errorCodes[name] === code)
    if (!(error instanceof LibvirtError && isExpected(error.code))) throw error
  }
/** A domain that has come to rest, or is gone, cannot be stopped or reset any more. */
const unlessInactive = undefinedFor('noDomain', 'operationInvalid')

interface Report {
  event: (domain: Pointer, event: Omit<DomainEvent, 'uuid'>) => void
  disconnected: () => void
}

/** Open connection → what it reports to. */
const reports = new Map<Pointer, Report>()
let callbacks: Record<'lifecycle' | 'reboot' | 'closed', bigint> | undefined

/**
 * The callbacks for events, of all connections of the process. libvirt may still deliver an event to a
 * connection that has just been closed, so they are never unregistered.
 */
const callbacksIn = ({ koffi, types }: Library) =>
  (callbacks ??= {
    lifecycle: koffi.register(
      (connection: Pointer, domain: Pointer, event: number, detail: number) => {
        reports.get(connection)?.event(domain, {
          kind: 'lifecycle',
          ...(event === STOPPED && { stopped: stoppedReasons[detail] ?? 'unknown' }),
        })
        return 0
      },
      koffi.pointer(types.lifecycle),
    ),
    reboot: koffi.register(
      (connection: Pointer, domain: Pointer) =>
        reports.get(connection)?.event(domain, { kind: 'reboot' }),
      koffi.pointer(types.generic),
    ),
    closed: koffi.register(
      (connection: Pointer) => reports.get(connection)?.disconnected(),
      koffi.pointer(types.closed),
    ),
  })

function createDomains(library: Library, uri: string): Domains {
  const { koffi, types, local } = library
  const endLoop = runEventLoop(library)
  const listeners = new Set<(event: DomainEvent | Disconnection) => void>()

  const uuidOf = (domain: Pointer): string => {
    const text = Buffer.alloc(UUID_BYTES)
    local('virDomainGetUUIDString', domain, text)
    return text.toString('latin1', 0, UUID_BYTES - 1)
  }
  const tell = (event: DomainEvent | Disconnection): void => {
    for (const listener of listeners) listener(event)
  }
  const report: Report = {
    event: (domain, about) => tell({ uuid: uuidOf(domain), ...about }),
    disconnected: () => tell({ kind: 'disconnected' }),
  }
  const forget = () => {
    for (const [connection, known] of reports) if (known === report) reports.delete(connection)
  }

  /** The first of the connections for what takes a moment, on which events come. */
  const watching = createConnection(library, uri, async (connection) => {
    forget()
    reports.set(connection, report)
    const { lifecycle, reboot, closed } = callbacksIn(library)
    await library.remote('virConnectRegisterCloseCallback', connection, closed, null, null)
    const registered: number[] = []
    for (const [event, callback] of [
      [LIFECYCLE, lifecycle],
      [REBOOT, reboot],
    ] as const) {
      const id = await library.remote<number>(
        'virConnectDomainEventRegisterAny',
        connection,
        null,
        event,
        callback,
        null,
        null,
      )
      if (id >= 0) registered.push(id)
    }
    // Otherwise the event loop goes on to call them, for as long as another connection runs it.
    return async () => {
      await library.remote('virConnectUnregisterCloseCallback', connection, closed)
      for (const id of registered) {
        await library.remote('virConnectDomainEventDeregisterAny', connection, id)
      }
    }
  })
  // Each call of a lane has a connection of its own.
  const connections = Object.fromEntries(
    Object.entries(lanes).map(([lane, { calls }]) => [
      lane,
      createConnections(library, uri, calls, lane === 'quick' ? watching : undefined),
    ]),
  ) as Record<Lane, Connection>

  /** Makes a call on a connection of its lane. */
  const run = <T>(name: CallName, work: (calls: Calls) => Promise<T>): Promise<T> =>
    connections[callRules[name].lane].run(work)

  /** Makes a call about one domain. */
  const runOn = <T>(
    name: CallName,
    uuid: string,
    work: (calls: Calls, domain: bigint) => Promise<T>,
  ): Promise<T> =>
    run(name, async (calls) => {
      const domain = await calls.pointer('virDomainLookupByUUIDString', calls.connection, uuid)
      try {
        return await work(calls, domain)
      } finally {
        local('virDomainFree', domain)
      }
    })

  /** Changes a domain; does nothing if it is not active. */
  const act =
    (name: CallName, change: RemoteName, ...flags: number[]) =>
    async (uuid: string): Promise<void> => {
      await runOn(name, uuid, ({ number }, domain) => number(change, domain, ...flags)).catch(
        unlessInactive,
      )
    }

  /**
   * Asks the agent in a guest about its file systems. Without a limit, libvirt waits for its answer
   * for ever.
   */
  const askAgent =
    (name: CallName, request: 'virDomainFSFreeze' | 'virDomainFSThaw') =>
    (uuid: string, seconds: number): Promise<number> =>
      runOn(name, uuid, async ({ number }, domain) => {
        await number('virDomainAgentSetResponseTimeout', domain, seconds, 0)
        return number(request, domain, null, 0, 0)
      })

  const readStats = (
    name: CallName,
    kinds: number,
    flags: number,
  ): Promise<Map<string, DomainStats>> =>
    run(name, async ({ connection, number }) => {
      const records: Pointer[] = [null]
      const count = await number('virConnectGetAllDomainStats', connection, kinds, records, flags)
      const list = records[0]!
      const found = new Map<string, DomainStats>()
      try {
        for (const address of koffi.decode(list, 'void *', count) as bigint[]) {
          const record = koffi.decode(address, types.record) as {
            domain: bigint
            parameters: Pointer
            count: number
          }
          found.set(uuidOf(record.domain), parametersAt(record.parameters, record.count))
        }
      } finally {
        local('virDomainStatsRecordListFree', list)
      }
      return found
    })

  const parametersAt = (address: Pointer, count: number): DomainStats => {
    if (address === null || count === 0) return {}
    const parameters = koffi.decode(address, types.parameter, count) as {
      field: string
      type: number
      value: Record<string, number | bigint | null>
    }[]
    return Object.fromEntries(
      parameters.map(({ field, type, value }) => {
        const member = value[members[type]!]!
        return [field, type === 7 ? koffi.decode.string(member as bigint) : Number(member)]
      }),
    ) as DomainStats
  }

  return {
    versions: () =>
      run('versions', async ({ connection, number }) => {
        const [libvirt, qemu] = [[0], [0]]
        await number('virConnectGetLibVersion', connection, libvirt)
        await number('virConnectGetVersion', connection, qemu)
        return { libvirt: versionOf(Number(libvirt[0])), qemu: versionOf(Number(qemu[0])) }
      }),
    capabilities: () =>
      run('capabilities', ({ connection, pointer }) =>
        pointer<string>('virConnectGetCapabilities', connection),
      ),
    nodeInfo: () => run('nodeInfo', nodeInfo),
    processorTimes: () => run('processorTimes', processorTimes),
    seesFile: (directory, name) => run('seesFile', (calls) => seesFile(calls, directory, name)),
    isPoolMounted: (id) => run('isPoolMounted', (calls) => isPoolMounted(calls, id)),
    mountPool: (xml) => run('mountPool', (calls) => mountPool(calls, xml)),
    unmountPool: (id) => run('unmountPool', (calls) => unmountPool(calls, id)),
    clock: () => run('clock', hostClock),
    domainCapabilities: (type) =>
      run('domainCapabilities', ({ connection, pointer }) =>
        pointer<string>(
          'virConnectGetDomainCapabilities',
          connection,
          null,
          ARCHITECTURE,
          MACHINE,
          type,
          0,
        ),
      ),
    define: (_, xml) =>
      run('define', async ({ connection, pointer }) => {
        local('virDomainFree', await pointer('virDomainDefineXMLFlags', connection, xml, 0))
      }),
    async create(uuid) {
      await runOn('create', uuid, ({ number }, domain) =>
        number('virDomainCreateWithFlags', domain, 0),
      )
        // It is active already.
        .catch(undefinedFor('operationInvalid'))
    },
    async createTransient(_, xml) {
      // Its events come on another connection.
      await watching.run(async () => {})
      await run('createTransient', async ({ connection, pointer }) => {
        local('virDomainFree', await pointer('virDomainCreateXML', connection, xml, AUTO_DESTROY))
      })
    },
    status: (uuid) =>
      runOn('status', uuid, async ({ number }, domain) => {
        const [state, reason] = [[0], [0]]
        await number('virDomainGetState', domain, state, reason, 0)
        return statusOf(state[0]!, reason[0]!)
      }).catch(undefinedFor('noDomain')),
    lacksSpace: (uuid) =>
      runOn('lacksSpace', uuid, async ({ number }, domain) => {
        // Memory that does not move while libvirt fills it.
        const found = Buffer.allocUnsafeSlow(DISK_ERROR_BYTES * DISKS_MAX)
        const count = await number('virDomainGetDiskErrors', domain, found, DISKS_MAX, 0)
        const errors: number[] = []
        for (let at = 0; at < count * DISK_ERROR_BYTES; at += DISK_ERROR_BYTES) {
          koffi.free(found.readBigUInt64LE(at))
          errors.push(found.readInt32LE(at + 8))
        }
        return errors.length > 0 && errors.every((error) => error === NO_SPACE)
      }).catch((error: unknown) => {
        unlessInactive(error)
        return false
      }),
    async statuses() {
      const all = await readStats('statuses', STATS.state, 0)
      return new Map(
        [...all].map(([uuid, stats]) => [
          uuid,
          statusOf(stats['state.state'] as number, stats['state.reason'] as number),
        ]),
      )
    },
    metadata: (uuid, namespace) =>
      runOn('metadata', uuid, ({ pointer }, domain) =>
        pointer<string>('virDomainGetMetadata', domain, METADATA_ELEMENT, namespace, 0),
      ).catch(undefinedFor('noDomainMetadata', 'noDomain')),
    xml: (uuid) =>
      runOn('xml', uuid, ({ pointer }, domain) =>
        pointer<string>('virDomainGetXMLDesc', domain, 0),
      ).catch(undefinedFor('noDomain')),
    shutdown: act('shutdown', 'virDomainShutdownFlags', ACPI),
    reboot: act('reboot', 'virDomainReboot', ACPI),
    reset: act('reset', 'virDomainReset', 0),
    destroy: act('destroy', 'virDomainDestroyFlags', 0),
    suspend: act('suspend', 'virDomainSuspend'),
    resume: act('resume', 'virDomainResume'),
    switchDisks: (uuid, xml) =>
      runOn('switchDisks', uuid, async ({ pointer }, domain) => {
        const snapshot = await pointer('virDomainSnapshotCreateXML', domain, xml, SWITCH_DISKS)
        local('virDomainSnapshotFree', snapshot)
      }),
    resizeDisk: async (uuid, target, size) => {
      await runOn('resizeDisk', uuid, ({ number }, domain) =>
        number('virDomainBlockResize', domain, target, BigInt(size), IN_BYTES),
      )
    },
    copyDisk: async (uuid, target, xml) => {
      await runOn('copyDisk', uuid, (calls, domain) => beginCopy(calls, domain, target, xml))
    },
    copyProgress: (uuid, target) =>
      runOn('copyProgress', uuid, (calls, domain) => copyProgress(calls, domain, target)).catch(
        unlessInactive,
      ),
    pivotDisk: async (uuid, target) => {
      await runOn('pivotDisk', uuid, (calls, domain) => endCopy(calls, domain, target, 'pivot'))
    },
    stopCopy: async (uuid, target) => {
      await runOn('stopCopy', uuid, (calls, domain) => endCopy(calls, domain, target, 'cancel'))
    },
    freeze: askAgent('freeze', 'virDomainFSFreeze'),
    thaw: askAgent('thaw', 'virDomainFSThaw'),
    async undefine(uuid) {
      await runOn('undefine', uuid, ({ number }, domain) =>
        number('virDomainUndefineFlags', domain, UNDEFINE),
      ).catch(undefinedFor('noDomain'))
    },
    stats: () =>
      readStats(
        'stats',
        STATS.state | STATS.cpu | STATS.balloon | STATS.vcpu | STATS.interface | STATS.block,
        ACTIVE | NO_WAIT,
      ),
    screenshot: (uuid) => runOn('screenshot', uuid, takeScreenshot).catch(unlessInactive),
    move: (uuid, to, isEncrypted) =>
      runOn('move', uuid, async (calls, domain) => {
        const other = createConnection(library, to)
        try {
          await other.run(({ connection }) => moveDomain(calls, domain, connection, isEncrypted))
        } finally {
          await other.close()
        }
      }),
    moveProgress: (uuid) =>
      runOn('moveProgress', uuid, (calls, domain) =>
        moveProgress(calls, domain, parametersAt),
      ).catch(unlessInactive),
    stopMove: act('stopMove', 'virDomainAbortJob'),
    monitor: (uuid, command, human = false) =>
      runOn('monitor', uuid, async ({ number }, domain) => {
        const result: Pointer[] = [null]
        const flags = human ? HUMAN_MONITOR : 0
        await number('virDomainQemuMonitorCommand', domain, command, result, flags)
        const address = result[0]!
        const text = koffi.decode.string(address)
        koffi.free(address)
        return text
      }),
    subscribe(changed) {
      listeners.add(changed)
      return () => void listeners.delete(changed)
    },
    async close() {
      listeners.clear()
      await Promise.all(Object.values(connections).map((all) => all.close()))
      forget()
      await endLoop()
    },
  }
}

/**
 * libvirt at an address such as `qemu:///session`. Connections are opened on demand.
 * @throws NotInstalled if it is not installed
 */
export const openDomains = async (uri: string): Promise<Domains> =>
  createDomains(await libvirtLibrary(), uri)
