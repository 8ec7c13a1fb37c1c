/**
 * The calls of the engine to libvirt, as `calls.ts` makes them in a process of its own: a thread that
 * waits in libvirt can only be ended with its process.
 */
import { type Calls, createConnection, createConnections } from './connection.ts'
import { errorCodes, LibvirtError } from './errors.ts'
import { runEventLoop } from './event-loop.ts'
import { lanes } from './lanes.ts'
import { type Library, libvirtLibrary, type Pointer } from './library.ts'
import {
  ARCHITECTURE,
  type DomainEvent,
  type Domains,
  type DomainStats,
  type DomainStatus,
  MACHINE,
  type ShutoffReason,
  shutoffReasons,
  states,
} from './types.ts'
import { takeScreenshot } from './screenshot.ts'

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

const isError = (error: unknown, code: number): boolean =>
  error instanceof LibvirtError && error.code === code

/** A domain that has come to rest, or is gone, cannot be stopped or reset any more. */
const unlessInactive = (error: unknown): void => {
  if (isError(error, errorCodes.noDomain) || isError(error, errorCodes.operationInvalid)) return
  throw error
}

type Report = (domain: Pointer, event: Omit<DomainEvent, 'uuid'>) => void

/** Open connection → what it reports to. */
const reports = new Map<Pointer, Report>()
let callbacks: { lifecycle: bigint; reboot: bigint } | undefined

/**
 * The callbacks for events, of all connections of the process. libvirt may still deliver an event to a
 * connection that has just been closed, so they are never unregistered.
 */
const callbacksIn = ({ koffi, types }: Library) =>
  (callbacks ??= {
    lifecycle: koffi.register(
      (connection: Pointer, domain: Pointer, event: number, detail: number) => {
        reports.get(connection)?.(domain, {
          kind: 'lifecycle',
          ...(event === STOPPED && { stopped: stoppedReasons[detail] ?? 'unknown' }),
        })
        return 0
      },
      koffi.pointer(types.lifecycle),
    ),
    reboot: koffi.register(
      (connection: Pointer, domain: Pointer) =>
        reports.get(connection)?.(domain, { kind: 'reboot' }),
      koffi.pointer(types.generic),
    ),
  })

function createDomains(library: Library, uri: string): Domains {
  const { koffi, types, local } = library
  const endLoop = runEventLoop(library)
  const listeners = new Set<(event: DomainEvent) => void>()

  const uuidOf = (domain: Pointer): string => {
    const text = Buffer.alloc(UUID_BYTES)
    local('virDomainGetUUIDString', domain, text)
    return text.toString('latin1', 0, UUID_BYTES - 1)
  }
  const report: Report = (domain, about) => {
    const event = { uuid: uuidOf(domain), ...about }
    for (const listener of listeners) listener(event)
  }
  const forget = () => {
    for (const [connection, its] of reports) if (its === report) reports.delete(connection)
  }

  /** The first of the connections for what takes a moment, on which events come. */
  const watching = createConnection(library, uri, async (connection) => {
    forget()
    reports.set(connection, report)
    const { lifecycle, reboot } = callbacksIn(library)
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
      for (const id of registered) {
        await library.remote('virConnectDomainEventDeregisterAny', connection, id)
      }
    }
  })
  // Each call of a lane has a connection of its own.
  const quick = createConnections(library, uri, lanes.quick, watching)
  const slow = createConnections(library, uri, lanes.slow)
  const agents = createConnections(library, uri, lanes.agent)
  const ends = createConnections(library, uri, lanes.end)
  const pictures = createConnections(library, uri, lanes.picture)

  const withDomain = async <T>(
    { connection, pointer }: Calls,
    uuid: string,
    work: (domain: bigint) => Promise<T>,
  ): Promise<T> => {
    const domain = await pointer('virDomainLookupByUUIDString', connection, uuid)
    try {
      return await work(domain)
    } finally {
      local('virDomainFree', domain)
    }
  }

  /** Changes a domain; does nothing if it is not active. */
  const act =
    (
      name:
        | 'virDomainShutdownFlags'
        | 'virDomainReboot'
        | 'virDomainReset'
        | 'virDomainDestroyFlags',
      flags: number,
    ) =>
    async (uuid: string): Promise<void> => {
      await (name === 'virDomainDestroyFlags' ? ends : slow)
        .run((calls) => withDomain(calls, uuid, (domain) => calls.number(name, domain, flags)))
        .catch(unlessInactive)
    }

  /**
   * Asks the agent in a guest about its file systems. Without a limit, libvirt waits for its answer
   * for ever.
   * @param seconds for each of its answers
   */
  const askAgent = (
    name: 'virDomainFSFreeze' | 'virDomainFSThaw',
    uuid: string,
    seconds: number,
  ): Promise<number> =>
    agents.run((calls) =>
      withDomain(calls, uuid, async (domain) => {
        await calls.number('virDomainAgentSetResponseTimeout', domain, seconds, 0)
        return calls.number(name, domain, null, 0, 0)
      }),
    )

  const readStats = async (kinds: number, flags: number): Promise<Map<string, DomainStats>> =>
    quick.run(async (calls) => {
      const records: Pointer[] = [null]
      const count = await calls.number(
        'virConnectGetAllDomainStats',
        calls.connection,
        kinds,
        records,
        flags,
      )
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

  const readText = (
    uuid: string,
    read: (calls: Calls, domain: bigint) => Promise<string>,
    missing: number,
  ): Promise<string | undefined> =>
    quick
      .run((calls) => withDomain(calls, uuid, (domain) => read(calls, domain)))
      .catch((error: unknown) => {
        if (isError(error, missing) || isError(error, errorCodes.noDomain)) return undefined
        throw error
      })

  return {
    versions: () =>
      quick.run(async ({ connection, number }) => {
        const [libvirt, qemu] = [[0], [0]]
        await number('virConnectGetLibVersion', connection, libvirt)
        await number('virConnectGetVersion', connection, qemu)
        return { libvirt: versionOf(Number(libvirt[0])), qemu: versionOf(Number(qemu[0])) }
      }),
    // Asks QEMU's programs, if libvirt does not know their abilities yet.
    capabilities: () =>
      slow.run(({ connection, pointer }) =>
        pointer<string>('virConnectGetCapabilities', connection),
      ),
    domainCapabilities: (type) =>
      slow.run(({ connection, pointer }) =>
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
      slow.run(async ({ connection, pointer }) => {
        local('virDomainFree', await pointer('virDomainDefineXMLFlags', connection, xml, 0))
      }),
    create: (uuid) =>
      slow
        .run(async (calls) => {
          await withDomain(calls, uuid, (domain) =>
            calls.number('virDomainCreateWithFlags', domain, 0),
          )
        })
        .catch((error: unknown) => {
          // It is active already.
          if (!isError(error, errorCodes.operationInvalid)) throw error
        }),
    async createTransient(_, xml) {
      // Its events come on another connection.
      await watching.run(async () => {})
      await slow.run(async ({ connection, pointer }) => {
        local('virDomainFree', await pointer('virDomainCreateXML', connection, xml, AUTO_DESTROY))
      })
    },
    status: (uuid) =>
      quick
        .run((calls) =>
          withDomain(calls, uuid, async (domain) => {
            const [state, reason] = [[0], [0]]
            await calls.number('virDomainGetState', domain, state, reason, 0)
            return statusOf(state[0]!, reason[0]!)
          }),
        )
        .catch((error: unknown) => {
          if (isError(error, errorCodes.noDomain)) return undefined
          throw error
        }),
    // Waits for QEMU.
    lacksSpace: (uuid) =>
      slow
        .run((calls) =>
          withDomain(calls, uuid, async (domain) => {
            // Memory that does not move while libvirt fills it.
            const found = Buffer.allocUnsafeSlow(DISK_ERROR_BYTES * DISKS_MAX)
            const count = await calls.number('virDomainGetDiskErrors', domain, found, DISKS_MAX, 0)
            const errors: number[] = []
            for (let at = 0; at < count * DISK_ERROR_BYTES; at += DISK_ERROR_BYTES) {
              koffi.free(found.readBigUInt64LE(at))
              errors.push(found.readInt32LE(at + 8))
            }
            return errors.length > 0 && errors.every((error) => error === NO_SPACE)
          }),
        )
        .catch((error: unknown) => {
          unlessInactive(error)
          return false
        }),
    async statuses() {
      const all = await readStats(STATS.state, 0)
      return new Map(
        [...all].map(([uuid, its]) => [
          uuid,
          statusOf(its['state.state'] as number, its['state.reason'] as number),
        ]),
      )
    },
    metadata: (uuid, namespace) =>
      readText(
        uuid,
        ({ pointer }, domain) =>
          pointer<string>('virDomainGetMetadata', domain, METADATA_ELEMENT, namespace, 0),
        errorCodes.noDomainMetadata,
      ),
    xml: (uuid) =>
      readText(
        uuid,
        ({ pointer }, domain) => pointer<string>('virDomainGetXMLDesc', domain, 0),
        errorCodes.noDomain,
      ),
    shutdown: act('virDomainShutdownFlags', ACPI),
    reboot: act('virDomainReboot', ACPI),
    reset: act('virDomainReset', 0),
    destroy: act('virDomainDestroyFlags', 0),
    async resume(uuid) {
      await slow
        .run((calls) =>
          withDomain(calls, uuid, (domain) => calls.number('virDomainResume', domain)),
        )
        .catch(unlessInactive)
    },
    switchDisks: (uuid, xml) =>
      slow.run((calls) =>
        withDomain(calls, uuid, async (domain) => {
          local(
            'virDomainSnapshotFree',
            await calls.pointer('virDomainSnapshotCreateXML', domain, xml, SWITCH_DISKS),
          )
        }),
      ),
    freeze: (uuid, seconds) => askAgent('virDomainFSFreeze', uuid, seconds),
    thaw: (uuid, seconds) => askAgent('virDomainFSThaw', uuid, seconds),
    async undefine(uuid) {
      await ends
        .run((calls) =>
          withDomain(calls, uuid, (domain) =>
            calls.number('virDomainUndefineFlags', domain, UNDEFINE),
          ),
        )
        .catch((error: unknown) => {
          if (!isError(error, errorCodes.noDomain)) throw error
        })
    },
    stats: () =>
      readStats(
        STATS.state | STATS.cpu | STATS.balloon | STATS.vcpu | STATS.interface | STATS.block,
        ACTIVE | NO_WAIT,
      ),
    screenshot: (uuid) =>
      pictures
        .run((calls) => withDomain(calls, uuid, (domain) => takeScreenshot(calls, domain)))
        .catch((error: unknown) => unlessInactive(error) as undefined),
    // Waits for QEMU.
    monitor: (uuid, command, human = false) =>
      slow.run((calls) =>
        withDomain(calls, uuid, async (domain) => {
          const result: Pointer[] = [null]
          const flags = human ? HUMAN_MONITOR : 0
          await calls.number('virDomainQemuMonitorCommand', domain, command, result, flags)
          const address = result[0]!
          const text = koffi.decode.string(address)
          koffi.free(address)
          return text
        }),
      ),
    subscribe(changed) {
      listeners.add(changed)
      return () => void listeners.delete(changed)
    },
    async close() {
      listeners.clear()
      await Promise.all([quick, slow, agents, ends, pictures].map((all) => all.close()))
      forget()
      endLoop()
    },
  }
}

/**
 * libvirt at an address such as `qemu:///session`. Connections are opened on demand.
 * @throws NotInstalled if it is not installed
 */
export const openDomains = async (uri: string): Promise<Domains> =>
  createDomains(await libvirtLibrary(), uri)
