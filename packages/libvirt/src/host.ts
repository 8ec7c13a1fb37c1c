/** The hosts as hardware: each one is a sled. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { databaseTime, type Db, type Dialect, readSetting } from '@steading/control-plane/engine'
import {
  type EngineContext,
  EngineStartError,
  type Hardware,
  type SeenSled,
} from '@steading/control-plane/ports'
import { ifMissing } from '@steading/files'
import { OWNER_FILE } from './files.ts'
import type { LibvirtHostTable } from './machine-tables.ts'
import type { LibvirtOptions } from './options.ts'
import { OWNER_KEY } from './owner.ts'

/** A host that no server has reported for this long does not respond. Milliseconds. */
const SILENT_MS = 60_000

/**
 * The serial number of this host. It derives from the id of its operating system, which is not to be
 * shown as it is.
 */
export const hostSerial = (): string => serialOf(readFileSync('/etc/machine-id', 'utf8').trim())

/** @param id by which a host knows itself */
export function serialOf(id: string): string {
  const digest = createHash('sha256').update(`steading ${id}`).digest('hex')
  return `HOST-${digest.slice(0, 12).toUpperCase()}`
}

/** The id of a data directory that has been used. */
const ownerIn = (directory: string): Promise<string | undefined> =>
  readFile(join(directory, OWNER_FILE), 'utf8').catch(ifMissing(undefined))

/** A field of the firmware's description of the host; often empty in virtual machines. */
async function firmware(name: string): Promise<string | undefined> {
  const text = await readFile(`/sys/class/dmi/id/${name}`, 'utf8').catch(() => '')
  return text.trim() || undefined
}

let model: Promise<string> | undefined

/** The model of this host, or of its processor. */
const hostModel = (): Promise<string> =>
  (model ??= firmware('product_name').then((name) => name ?? cpus()[0]?.model.trim() ?? 'unknown'))

/** Share of the memory that is not for machines. */
const HOST_MEMORY = 1 / 8

/** Adds hosts to the rack, and removes them. */
export function adoption(db: Db, changed: () => void): Pick<Hardware, 'adopt' | 'release'> {
  const setSled = async (serial: string, id: string | null): Promise<void> => {
    await db.updateTable('libvirt_host').set({ sled_id: id }).where('serial', '=', serial).execute()
    changed()
  }
  return {
    adopt: ({ serial }, id) => setSled(serial, id),
    release: ({ serial }) => setSled(serial, null),
  }
}

type HostFacts = Pick<LibvirtHostTable, 'threads' | 'ram' | 'model'> &
  Partial<Pick<LibvirtHostTable, 'address' | 'accelerator'>>

/** Writes the facts of a host that has answered. A new one gets the next slot, for good. */
export async function writeHost(
  db: Db,
  dialect: Dialect,
  serial: string,
  facts: HostFacts,
): Promise<void> {
  const { next } = await db
    .selectFrom('libvirt_host')
    .select((eb) => eb.fn.max('slot').as('next'))
    .executeTakeFirstOrThrow()
  // The storage pools have the sizes of file systems.
  const values = { ...facts, disk: 0, seen: databaseTime(dialect, 0) }
  const slot = next === null ? 0 : Number(next) + 1
  await db
    .insertInto('libvirt_host')
    .values({ serial, slot, sled_id: null, report: null, ...values })
    .onConflict((conflict) => conflict.column('serial').doUpdateSet(values))
    .execute()
}

/** The room for all machines of a host. */
export const usable = (
  { threads, ram }: { threads: number; ram: number },
  cpuOvercommit: number,
): Pick<SeenSled, 'usableThreads' | 'usableRam' | 'cpuPlatform'> => ({
  usableThreads: threads * cpuOvercommit,
  usableRam: Math.floor(ram * (1 - HOST_MEMORY)),
  // The contract knows only these names. Every instance that asks for the oldest one, or for none,
  // can run.
  cpuPlatform: 'amd_milan',
})

export interface Host {
  serial: string
  hardware: Hardware
  /** Tells the other servers that this host responds. */
  report: () => Promise<void>
}

/**
 * @param directory whose file system holds the volumes
 */
export function createHost(
  { database }: Pick<EngineContext, 'database'>,
  directory: string,
  { cpuOvercommit, directory: home }: Pick<LibvirtOptions, 'cpuOvercommit' | 'directory'>,
): Host {
  const { db, dialect } = database
  const serial = hostSerial()
  let changed = (): void => {}
  /** Whether the control plane has been told of the host. */
  let reported = false
  /** Whether this server has found no other host that uses the database. */
  let alone = false

  /**
   * Refuses a second host: the machines of another host cannot be fenced. A host that is silent and
   * has no machines may be replaced.
   * @throws EngineStartError
   */
  const requireAlone = async (): Promise<void> => {
    const others = await db
      .selectFrom('libvirt_host')
      .select(['serial', 'seen', 'address'])
      .select(databaseTime(dialect, 0).as('now'))
      .where('serial', '<>', serial)
      .orderBy('serial')
      .execute()
    const isRestored = (await readSetting(db, OWNER_KEY)) !== (await ownerIn(home))
    for (const { serial: other, seen, now, address } of others) {
      if (address !== null) {
        throw new EngineStartError(
          'the machines of this database run on hosts that were added; start with the --shared-directory of these hosts',
        )
      }
      const machines = await db
        .selectFrom('libvirt_machine')
        .select('id')
        .where('host', '=', other)
        .limit(1)
        .execute()
      const answers = Number(now) - seen < SILENT_MS
      // After a restore, the machines of the backup belong to the data directory that made them.
      if (!answers && (machines.length === 0 || isRestored)) continue
      const found = answers
        ? `a server on the host ${other} uses this database`
        : `this database has machines on the host ${other}`
      throw new EngineStartError(
        `this host is ${serial}, and ${found}: the engine libvirt runs the machines of a database on one host only; start the server there`,
      )
    }
  }

  const report = async (): Promise<void> => {
    if (!alone) await requireAlone()
    // The hardware is asked for before anything is started.
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const known = await db
      .selectFrom('libvirt_host')
      .select('serial')
      .where('serial', '=', serial)
      .executeTakeFirst()
    await writeHost(db, dialect, serial, {
      threads: availableParallelism(),
      ram: totalmem(),
      model: await hostModel(),
    })
    if (!alone) {
      // Two hosts may have started at the same time.
      await requireAlone().catch(async (error: unknown) => {
        if (!known) await db.deleteFrom('libvirt_host').where('serial', '=', serial).execute()
        throw error
      })
      alone = true
    }
    if (reported) return
    reported = true
    changed()
  }

  const sled = (
    row: { serial: string; model: string; threads: number; ram: number },
    cubby: number,
    sledId: string | null,
    responding: boolean,
  ): SeenSled => {
    return {
      part: row.model,
      serial: row.serial,
      revision: 0,
      cubby,
      ...usable(row, cpuOvercommit),
      responding,
      id: sledId ?? undefined,
      // The room of the data directory is that of the first storage pool.
      disks: [],
    }
  }

  return {
    serial,
    report,
    hardware: {
      subscribe: (callback) => void (changed = callback),
      // Volumes are files in storage pools.
      copyMs: () => 0,
      replicas: 0,
      async inventory() {
        await report()
        const rows = await db
          .selectFrom('libvirt_host')
          .selectAll()
          .select(databaseTime(dialect, 0).as('now'))
          .orderBy('slot')
          .execute()
        return {
          switches: [],
          sleds: rows.map((row) =>
            sled(row, row.slot, row.sled_id, Number(row.now) - row.seen < SILENT_MS),
          ),
        }
      },
      ...adoption(db, () => changed()),
    },
  }
}
