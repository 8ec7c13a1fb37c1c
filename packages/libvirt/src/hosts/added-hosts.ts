/**
 * The hosts that operators have added. Every server reaches them by the addresses of their libvirt;
 * one server at a time, which holds a lease, brings their machines where they are wanted. All hosts
 * and servers see one directory with the files of machines and volumes.
 */
import { createTaskLease, databaseTime } from '@steading/control-plane/engine'
import {
  type EngineContext,
  EngineStartError,
  type Hardware,
  type HostConnection,
  type HostEnrolment,
  type SeenSled,
} from '@steading/control-plane/ports'
import { errorMessage } from '@steading/files'
import { type Accelerator, findAccelerator } from '../accelerator.ts'
import { type MachineFiles, openSharedFiles } from '../files.ts'
import type { FileCalls } from '../file-systems/file-calls.ts'
import { adoption, usable, writeHost } from '../host.ts'
import { loadArchive } from '../native/archive.ts'
import { openKeyboard } from '../keyboard.ts'
import { LibvirtError } from '../native/errors.ts'
import { callLimits } from '../native/lanes.ts'
import { type Libvirt, openLibvirt } from '../native/libvirt.ts'
import type { LibvirtOptions } from '../options.ts'
import { settleOwner } from '../owner.ts'
import { isActive } from '../state.ts'
import type { LeaseFiles } from '../leases/lease-files.ts'
import type { LibvirtHostTable } from '../machine-tables.ts'
import { createProofs } from '../leases/proofs.ts'
import type { Rows } from '../rows.ts'
import { clockAhead, createExamination, withLibvirt } from './examination.ts'
import type { Host, HostSet } from './host-set.ts'
import { connectAt } from './sockets-of-hosts.ts'

/** Interval at which an answer of a host is written down. Milliseconds. */
const NOTE_MS = 4_000
/**
 * A host without an answer for this long gets no more machines. Its own may run on, so they count as
 * running. Milliseconds.
 */
const SUSPECT_MS = 15_000

/** Limits of the calls about trial guests with leases. Milliseconds. */
const LEASE_LIMITS = { ...callLimits, quick: 10_000, start: 20_000, end: 10_000 }

/** Limits of the calls that decide whether a host is silent, or read its clock. Milliseconds. */
const ANSWER_LIMITS = { ...callLimits, quick: 8_000, slow: 8_000, start: 8_000 }

interface KnownHost {
  address: string
  accelerator: Accelerator | null
}

/** A host, and the time of its last answer. */
type Heard = Pick<LibvirtHostTable, 'serial' | 'seen'>

/** A host with an open connection. */
interface OpenHost {
  address: string
  libvirt: Libvirt
  host: Promise<Host>
}

export interface AddedHosts extends HostSet {
  hardware: Hardware
  enrolment: HostEnrolment
  /** @throws LibvirtError for a host that is not known */
  addressOf: (serial: string) => string
  start: () => Promise<void>
  close: () => Promise<void>
}

interface AddedHostsParts extends Pick<EngineContext, 'database' | 'log' | 'clock'> {
  rows: Rows
  leases: LeaseFiles
  /** Calls to the directory that all hosts see. */
  calls: FileCalls
}

/**
 * @param volumes directory of the volumes, which all hosts see
 */
export function createAddedHosts(
  { database, log, clock, rows, leases, calls }: AddedHostsParts,
  volumes: string,
  options: LibvirtOptions,
): AddedHosts {
  const { db, dialect } = database
  let known = new Map<string, KnownHost>()
  const open = new Map<string, OpenHost>()
  const connections = new Map<string, HostConnection>()
  /** Serial number → when an answer was written down, by a monotonic clock. */
  const written = new Map<string, number>()
  let changed = (): void => {}
  let closed = false
  const lease = createTaskLease(database, 'machines of hosts', log, async () => !closed)

  /**
   * Refuses a database whose machines run on the hosts of its servers: their files are elsewhere.
   * @throws EngineStartError
   */
  const requireNoOwn = async (): Promise<void> => {
    const own = await db
      .selectFrom('libvirt_host')
      .innerJoin('libvirt_machine', 'libvirt_machine.host', 'libvirt_host.serial')
      .select('libvirt_host.serial')
      .where('address', 'is', null)
      .limit(1)
      .executeTakeFirst()
    if (!own) return
    throw new EngineStartError(
      `this database has machines on the host ${own.serial}, which no operator has added; start there without --shared-directory`,
    )
  }

  let opening: Promise<MachineFiles> | undefined
  const openFiles = async (): Promise<MachineFiles> => {
    await loadArchive()
    const files = await openSharedFiles(options.directory, volumes, calls)
    await settleOwner(database, files.owner, log)
    return files
  }
  const files = (): Promise<MachineFiles> =>
    (opening ??= openFiles().catch((error: unknown) => {
      opening = undefined
      throw error
    }))

  const refresh = async (): Promise<string[]> => {
    const rows = await db
      .selectFrom('libvirt_host')
      .select(['serial', 'address', 'accelerator'])
      .where('address', 'is not', null)
      .orderBy('slot')
      .execute()
    known = new Map(
      rows.map(({ serial, address, accelerator }) => [serial, { address: address!, accelerator }]),
    )
    for (const [serial, { address, libvirt }] of open) {
      if (known.get(serial)?.address === address) continue
      open.delete(serial)
      connections.delete(serial)
      void libvirt.close()
    }
    return [...known.keys()]
  }

  const connect = async (serial: string): Promise<Host> => {
    const its = known.get(serial) ?? (await refresh(), known.get(serial))
    if (!its || closed) throw new LibvirtError(`There is no host ${serial}`, 0)
    const already = open.get(serial)
    if (already) return already.host
    const libvirt = await openLibvirt(its.address, { ...callLimits, ...options.callLimits })
    const other = open.get(serial)
    if (other || closed) {
      await libvirt.close()
      return other ? other.host : Promise.reject(new LibvirtError('The server is stopping', 0))
    }
    const host = (async (): Promise<Host> => {
      const shared = await files()
      const accelerator = its.accelerator ?? (await findAccelerator(libvirt, shared))
      return {
        serial,
        libvirt,
        files: shared,
        accelerator,
        openKeyboard: (id, over) =>
          openKeyboard(connectAt(its.address, shared.of(id).serialSocket), over),
        openScreen: (id) => connectAt(its.address, shared.of(id).vncSocket),
      }
    })()
    open.set(serial, { address: its.address, libvirt, host })
    host.catch(() => {
      if (open.get(serial)?.host !== host) return
      open.delete(serial)
      void libvirt.close()
    })
    return host
  }

  /** Hosts that were suspect when that was last compared. */
  let suspects = ''
  let started = -Infinity
  /**
   * Whether this server is too young to suspect a host by itself: the last answer may be old only
   * because no server asked.
   */
  const isYoung = (): boolean => performance.now() - started < SUSPECT_MS
  /**
   * Serial number → the last answer that this server knows of, and since when, by a monotonic clock:
   * that of the database may be set meanwhile.
   */
  const heard = new Map<string, { seen: number; since: number; isFirst: boolean }>()
  const lastAnswer = ({ serial, seen }: Heard) => {
    const before = heard.get(serial)
    if (before?.seen === seen) return before
    const answer = { seen, since: performance.now(), isFirst: before === undefined }
    heard.set(serial, answer)
    return answer
  }
  const isLate = (row: Heard): boolean => performance.now() - lastAnswer(row).since >= SUSPECT_MS
  /** @param wasSilent what the control plane knows of it */
  const responds = (row: Heard, wasSilent: boolean): boolean =>
    isYoung() ? !lastAnswer(row).isFirst || !wasSilent : !isLate(row)
  /** Tells the control plane of hosts that have become silent, or have answered again. */
  const compareSuspects = async (): Promise<void> => {
    const rows = await db
      .selectFrom('libvirt_host')
      .select(['serial', 'seen'])
      .where('address', 'is not', null)
      .orderBy('serial')
      .execute()
    const late = rows.filter(isLate)
    const silent = isYoung() ? [] : late.map(({ serial }) => serial)
    const found = silent.join(' ')
    if (found === suspects) return
    suspects = found
    changed()
  }

  const noted = (serial: string, failure: unknown): void => {
    const before = connections.get(serial)
    if (failure !== undefined) {
      const reason = errorMessage(failure)
      if (before?.connected === false) connections.set(serial, { ...before, reason })
      else connections.set(serial, { connected: false, since: clock(), reason })
      return
    }
    if (!before?.connected) connections.set(serial, { connected: true, since: clock() })
    const last = written.get(serial)
    if (last !== undefined && performance.now() - last < NOTE_MS) return
    written.set(serial, performance.now())
    db.updateTable('libvirt_host')
      .set({ seen: databaseTime(dialect, 0) })
      .where('serial', '=', serial)
      .execute()
      .catch((error: unknown) => log(`noting an answer of the host ${serial} failed`, error))
  }

  /** Asks a host beside all other calls; undefined if it does not answer soon, or is unknown. */
  const askAnew = async <Answer>(
    serial: string,
    question: (libvirt: Libvirt) => Promise<Answer>,
  ): Promise<Answer | undefined> => {
    await refresh()
    const address = known.get(serial)?.address
    if (address === undefined) return undefined
    try {
      return await withLibvirt(address, question, ANSWER_LIMITS)
    } catch (error) {
      if (error instanceof LibvirtError) return undefined
      throw error
    }
  }

  /** Address → the accelerator that its last examination has found. */
  const examined = new Map<string, Accelerator>()

  const addressOf = (serial: string): string => {
    const address = known.get(serial)?.address
    if (address === undefined) throw new LibvirtError(`There is no host ${serial}`, 0)
    return address
  }

  const proofs = createProofs({
    rows,
    leases,
    others: (serial) =>
      [...known.keys()].filter(
        (other) => other !== serial && connections.get(other)?.connected !== false,
      ),
    async connected(serial, work) {
      await refresh()
      return withLibvirt(addressOf(serial), work, LEASE_LIMITS)
    },
  })

  const examineHost = createExamination({ ...options, files, clock, leases })

  const enrolment: HostEnrolment = {
    async examine(address) {
      const { accelerator, ...examination } = await examineHost(address)
      if (accelerator) examined.set(address, accelerator)
      return examination
    },
    async enroll({ serial, part }, address) {
      const row = await db
        .selectFrom('libvirt_host')
        .select(['address', 'accelerator'])
        .where('serial', '=', serial)
        .executeTakeFirst()
      const accelerator = examined.get(address) ?? null
      if (row?.address === address && (accelerator === null || accelerator === row.accelerator)) {
        return
      }
      const { threads, memory } = await withLibvirt(address, (libvirt) => libvirt.nodeInfo())
      const facts = { address, accelerator, threads, ram: memory, model: part }
      // Hosts that are enrolled at the same time get different slots.
      await database.transaction((tx) => writeHost(tx, dialect, serial, facts))
      await refresh()
      changed()
    },
    async forget({ serial }) {
      // Its slot stays its own.
      await db
        .updateTable('libvirt_host')
        .set({ address: null })
        .where('serial', '=', serial)
        .where('sled_id', 'is', null)
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('libvirt_machine').select('id').where('host', '=', serial))),
        )
        .execute()
      await refresh()
      changed()
    },
    answers: async (serial) =>
      (await askAnew(serial, (libvirt) => libvirt.versions())) !== undefined,
    clockAhead: (serial) => askAnew(serial, (libvirt) => clockAhead(libvirt, clock)),
    async isClear(serial) {
      const statuses = await askAnew(serial, (libvirt) => libvirt.statuses())
      if (!statuses) return false
      const active = [...statuses].flatMap(([id, status]) => (isActive(status) ? [id] : []))
      if (active.length === 0) return true
      const ours = await db
        .selectFrom('libvirt_machine')
        .select('id')
        .where('id', 'in', active)
        .executeTakeFirst()
      return ours === undefined
    },
    ...proofs,
    // The observations of a server are old once another one asks the hosts.
    connection: (serial) =>
      known.has(serial) && lease.held() ? connections.get(serial) : undefined,
  }

  const hardware: Hardware = {
    subscribe: (callback) => void (changed = callback),
    // Volumes are files in storage pools.
    copyMs: () => 0,
    replicas: 0,
    async inventory() {
      const rows = await db
        .selectFrom('libvirt_host')
        .selectAll()
        .where('address', 'is not', null)
        .orderBy('slot')
        .execute()
      const known = await db
        .selectFrom('sled')
        .select('id')
        .where('state', '=', 'active')
        .where('responding', '=', 0)
        .execute()
      const wereSilent = new Set(known.map(({ id }) => id))
      return {
        switches: [],
        sleds: rows.map((row): SeenSled => ({
          part: row.model,
          serial: row.serial,
          revision: 0,
          cubby: row.slot,
          ...usable(row, options.cpuOvercommit),
          responding: responds(row, wereSilent.has(row.sled_id ?? '')),
          id: row.sled_id ?? undefined,
          disks: [],
        })),
      }
    },
    ...adoption(db, () => changed()),
  }

  return {
    hardware,
    enrolment,
    async serials() {
      const serials = await refresh()
      await compareSuspects()
      return serials
    },
    drives: (serial) => known.has(serial) && lease.held(),
    answers: (serial) => connections.get(serial)?.connected ?? true,
    placeOf: ({ sled }) => sled.serial,
    has: (serial) => known.has(serial),
    addressOf,
    of: connect,
    filesOf: files,
    opened: (serial) => open.get(serial)?.libvirt,
    noted,
    abandon() {
      for (const { libvirt } of open.values()) libvirt.abandon()
    },
    async start() {
      started = performance.now()
      await requireNoOwn()
      await files()
      await lease.start()
      await refresh()
    },
    async close() {
      closed = true
      await lease.stop()
      await Promise.all([...open.values()].map(({ libvirt }) => libvirt.close()))
    },
  }
}
