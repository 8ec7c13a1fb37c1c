/**
 * The hosts that operators have added. Every server reaches them by the addresses of their libvirt;
 * one server at a time, which holds a lease, brings their machines where they are wanted. All hosts
 * and servers see one directory with the files of machines and volumes.
 */
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  HOST_CLOCK_APART_MAX,
  HOST_LIBVIRT_MIN,
  HOST_QEMU_MIN,
  hostAddressProblem,
  type HostFinding,
  hostProblems,
  passedCheck,
} from '@steading/api/rules'
import { createTaskLease, databaseTime } from '@steading/control-plane/engine'
import {
  type EngineContext,
  EngineStartError,
  type Hardware,
  type HostConnection,
  type HostEnrolment,
  type HostExamination,
  type SeenSled,
} from '@steading/control-plane/ports'
import { errorMessage } from '@steading/files'
import { type Accelerator, findAccelerator, runsGuests, tryGuest } from '../accelerator.ts'
import { type MachineFiles, openSharedFiles } from '../files.ts'
import { withoutPaths } from '../host-paths.ts'
import { serialOf, usable } from '../host.ts'
import { loadArchive } from '../native/archive.ts'
import { openKeyboard } from '../keyboard.ts'
import { LibvirtError } from '../native/errors.ts'
import { callLimits } from '../native/lanes.ts'
import { ARCHITECTURE, type Libvirt, openLibvirt } from '../native/libvirt.ts'
import type { LibvirtOptions } from '../options.ts'
import { settleOwner } from '../owner.ts'
import type { Host, HostSet } from './host-set.ts'
import { connectAt } from './sockets-of-hosts.ts'

/** Limits of the calls that look at a host. Milliseconds. */
const LOOK_LIMITS = { ...callLimits, quick: 30_000, slow: 60_000, start: 60_000, end: 30_000 }
/** Interval at which an answer of a host is written down. Milliseconds. */
const NOTE_MS = 4_000
/**
 * A host without an answer for this long gets no more machines. Its own may run on, so they count as
 * running. Milliseconds.
 */
const SUSPECT_MS = 15_000

interface KnownHost {
  address: string
  accelerator: Accelerator | null
}

/** A host with an open connection. */
interface OpenHost {
  address: string
  libvirt: Libvirt
  host: Promise<Host>
}

export interface AddedHosts extends HostSet {
  hardware: Hardware
  enrolment: HostEnrolment
  start: () => Promise<void>
  close: () => Promise<void>
}

/** Whether a version such as `9.0.0` is not older than another one. */
export function isAtLeast(version: string, least: string): boolean {
  const [found, needed] = [version, least].map((text) => text.split('.').map(Number))
  for (const [index, number] of needed!.entries()) {
    const other = found![index] ?? 0
    if (other !== number) return other > number
  }
  return true
}

/** The id and the architecture of a host, in libvirt's description. */
export const hostIn = (capabilities: string) => ({
  id: /<host>\s*<uuid>([^<]*)<\/uuid>/.exec(capabilities)?.[1],
  architecture: /<host>.*?<cpu>\s*<arch>([^<]*)<\/arch>/s.exec(capabilities)?.[1],
  model: /<host>.*?<cpu>.*?<model>([^<]*)<\/model>/s.exec(capabilities)?.[1],
})

/** A check failed; the rest is not looked at. */
class CheckFailed extends Error {}

/**
 * @param volumes directory of the volumes, which all hosts see
 */
export function createAddedHosts(
  { database, log, clock }: Pick<EngineContext, 'database' | 'log' | 'clock'>,
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
    const files = await openSharedFiles(options.directory, volumes)
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
      const accelerator = its.accelerator ?? (await findAccelerator(libvirt, shared.shared))
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
  const isSuspect = ({ now, seen }: { now: number | bigint | string; seen: number }): boolean =>
    Number(now) - seen >= SUSPECT_MS
  /** Tells the control plane of hosts that have become silent, or have answered again. */
  const compareSuspects = async (): Promise<void> => {
    const rows = await db
      .selectFrom('libvirt_host')
      .select(['serial', 'seen'])
      .select(databaseTime(dialect, 0).as('now'))
      .where('address', 'is not', null)
      .orderBy('serial')
      .execute()
    const silent = rows.filter(isSuspect).map(({ serial }) => serial)
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

  /** Proves that a host sees the directory, by a file whose name nobody can guess. */
  const seesDirectory = async (libvirt: Libvirt): Promise<HostFinding> => {
    await files()
    const folder = join(options.directory, 'checks', crypto.randomUUID())
    const name = crypto.randomUUID()
    await mkdir(folder, { recursive: true })
    try {
      await writeFile(join(folder, name), '')
      if (await libvirt.seesFile(folder, name)) {
        return passedCheck('storage', `It sees ${options.directory}`)
      }
      return hostProblems.other_storage({ directory: options.directory })
    } catch (error) {
      if (!(error instanceof LibvirtError)) throw error
      const reason = error.message.replace(folder, options.directory)
      return hostProblems.no_storage({ directory: options.directory, reason })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  const runsTrial = async (libvirt: Libvirt): Promise<[Accelerator, HostFinding]> => {
    const { shared } = await files()
    if (await runsGuests(libvirt, 'kvm', shared)) {
      return ['kvm', passedCheck('accelerator', 'A trial guest runs with KVM')]
    }
    const reason = await tryGuest(libvirt, 'qemu', shared)
    if (reason === undefined) return ['qemu', hostProblems.emulated({})]
    return ['qemu', hostProblems.no_guests({ reason: withoutPaths(reason) })]
  }

  /** The result of the last examination of an address, for its enrolment. */
  const examined = new Map<string, { serial: string; accelerator: Accelerator }>()

  const look = async (
    libvirt: Libvirt,
    findings: HostFinding[],
  ): Promise<HostExamination['host'] & { accelerator: Accelerator }> => {
    const note = (finding: HostFinding): void => {
      findings.push(finding)
      if (finding.outcome === 'failed') throw new CheckFailed()
    }
    const versions = await libvirt.versions()
    note(passedCheck('connection', `Libvirt answers at ${libvirt.uri}`))
    const capabilities = hostIn(await libvirt.capabilities())
    const { hostname } = await libvirt.nodeInfo()
    const serial = serialOf(capabilities.id ?? '')
    note(passedCheck('identity', `It is ${hostname}, with the serial number ${serial}`))
    for (const [name, found, needed] of [
      ['Libvirt', versions.libvirt, HOST_LIBVIRT_MIN],
      ['QEMU', versions.qemu, HOST_QEMU_MIN],
    ] as const) {
      if (!isAtLeast(found, needed)) note(hostProblems.old_software({ name, found, needed }))
    }
    const found = capabilities.architecture ?? 'unknown'
    if (found !== ARCHITECTURE) {
      note(hostProblems.other_architecture({ found, needed: ARCHITECTURE }))
    }
    note(
      passedCheck('software', `Libvirt ${versions.libvirt} and QEMU ${versions.qemu} on ${found}`),
    )
    const before = Date.now()
    const there = await libvirt.clock()
    const seconds = (there - (before + Date.now()) / 2) / 1000
    note(
      Math.abs(seconds) > HOST_CLOCK_APART_MAX
        ? hostProblems.clock_apart({ seconds })
        : passedCheck('clock', 'Its clock agrees with that of the server'),
    )
    note(await seesDirectory(libvirt))
    const [accelerator, finding] = await runsTrial(libvirt)
    note(finding)
    if (options.hasChassis) {
      note(
        (await options.hasChassis(hostname))
          ? passedCheck('networks', `OVN has its chassis ${hostname}`)
          : hostProblems.no_chassis({ name: hostname }),
      )
    }
    return { serial, part: capabilities.model ?? 'unknown', accelerator }
  }

  /** A connection of its own, so that a host that hangs holds up nothing else. */
  const withConnection = async <T>(
    address: string,
    work: (libvirt: Libvirt) => Promise<T>,
  ): Promise<T> => {
    const libvirt = await openLibvirt(address, LOOK_LIMITS)
    try {
      return await work(libvirt)
    } finally {
      await libvirt.close()
    }
  }

  const enrolment: HostEnrolment = {
    async examine(address) {
      const findings: HostFinding[] = []
      const problem = hostAddressProblem(address)
      if (problem !== undefined) {
        return { findings: [hostProblems.unreachable({ reason: problem })], host: undefined }
      }
      try {
        const { serial, part, accelerator } = await withConnection(address, (libvirt) =>
          look(libvirt, findings),
        )
        examined.set(address, { serial, accelerator })
        return { findings, host: { serial, part } }
      } catch (error) {
        if (error instanceof CheckFailed) return { findings, host: undefined }
        if (!(error instanceof LibvirtError)) throw error
        findings.push(hostProblems.unreachable({ reason: error.message }))
        return { findings, host: undefined }
      }
    },
    async enroll({ serial, part }, address) {
      const row = await db
        .selectFrom('libvirt_host')
        .select(['address', 'accelerator'])
        .where('serial', '=', serial)
        .executeTakeFirst()
      const { accelerator = null } = examined.get(address) ?? {}
      if (row?.address === address && (accelerator === null || accelerator === row.accelerator)) {
        return
      }
      const { threads, memory } = await withConnection(address, (libvirt) => libvirt.nodeInfo())
      const { next } = await db
        .selectFrom('libvirt_host')
        .select((eb) => eb.fn.max('slot').as('next'))
        .executeTakeFirstOrThrow()
      const facts = { address, accelerator, threads, ram: memory, model: part }
      await db
        .insertInto('libvirt_host')
        .values({
          serial,
          slot: next === null ? 0 : Number(next) + 1,
          sled_id: null,
          ...facts,
          disk: 0,
          report: null,
          seen: databaseTime(dialect, 0),
        })
        .onConflict((conflict) => conflict.column('serial').doUpdateSet(facts))
        .execute()
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
    connection: (serial) => connections.get(serial),
  }

  const setSled = async (of: string, id: string | null): Promise<void> => {
    await db.updateTable('libvirt_host').set({ sled_id: id }).where('serial', '=', of).execute()
    changed()
  }

  const hardware: Hardware = {
    subscribe: (callback) => void (changed = callback),
    // All hosts see the same files.
    copyMs: () => 0,
    replicas: 1,
    async inventory() {
      const rows = await db
        .selectFrom('libvirt_host')
        .selectAll()
        .select(databaseTime(dialect, 0).as('now'))
        .where('address', 'is not', null)
        .orderBy('slot')
        .execute()
      const { bsize, blocks } = await statfs(volumes)
      const share = Math.floor((bsize * blocks) / Math.max(1, rows.length))
      return {
        switches: [],
        sleds: rows.map((row): SeenSled => ({
          part: row.model,
          serial: row.serial,
          revision: 0,
          cubby: row.slot,
          ...usable(row, options.cpuOvercommit),
          responding: !isSuspect(row),
          id: row.sled_id ?? undefined,
          disks: [
            {
              vendor: 'shared',
              model: 'shared directory',
              serial: `${row.serial}-SHARE`,
              formFactor: 'u2',
              slot: 0,
              // All of them together are the directory, which is counted once.
              size: share,
              healthy: true,
            },
          ],
        })),
      }
    },
    adopt: ({ serial }, id) => setSled(serial, id),
    release: ({ serial }) => setSled(serial, null),
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
    of: connect,
    filesOf: files,
    opened: (serial) => open.get(serial)?.libvirt,
    noted,
    abandon() {
      for (const { libvirt } of open.values()) libvirt.abandon()
    },
    async start() {
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
