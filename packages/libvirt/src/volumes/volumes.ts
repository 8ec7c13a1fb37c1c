/**
 * Volumes and snapshots as chains of qcow2 files. A snapshot freezes the topmost layer of its volume,
 * which continues with a new one; a volume made of a snapshot starts with an empty layer on top of
 * it.
 */
import { mkdir } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { diskInUse, diskSilent, type Firmware, scrubMessages } from '@steading/api/rules'
import {
  admit,
  endDamage,
  Extents,
  fail,
  noteDamage,
  type Tx,
  withLease,
} from '@steading/control-plane/engine'
import {
  type EngineContext,
  type Extent,
  NoSpaceError,
  type StoragePools,
  type Throttle,
  type TakenSnapshot,
  UnusablePoolError,
  type Volumes,
  type VolumeSource,
} from '@steading/control-plane/ports'
import { type FreeSpace, freeSpace } from '@steading/files'
import { base64ToUint8Array, uint8ArrayToBase64 } from 'uint8array-extras'
import type { PoolMounts } from '../hosts/pool-mounts.ts'
import { LateNbdError, NbdError, type NbdLimits } from '../native/nbd.ts'
import '../tables.ts'
import { createConversions } from './conversions.ts'
import { createExports, LayerInUseError, RELEASE_MS } from './exports.ts'
import { firmwareIn } from './firmware.ts'
import { createFlattener } from './flatten.ts'
import { createVolumeLocks } from './volume-locks.ts'
import { layerFiles } from './layer-files.ts'
import { claimPlace, requireLocks } from './place.ts'
import { checkImage, growImage, imageInfo, meansInUse } from './qemu-img.ts'
import { adaptToRestore, knownRestore } from './restored.ts'
import { createRows, NoVolumeError, type VolumeRow, wholeSectors } from './rows.ts'
import { runProgram } from './run-program.ts'
import { type AskedHost, createPools } from './pools.ts'
import { createRunningTransfers, type DiskCopies } from './running-transfers.ts'
import { createTransfers } from './transfers.ts'
import { createWritten } from './written.ts'

/** Bytes per read of a check. */
const CHECK_BYTES = 1024 * 1024
/** Milliseconds between two attempts to get what another server has. */
const LOOK_MS = 50

/** The part of the machines that volumes need. */
export interface DomainDisks {
  /**
   * Makes the guest of a machine, if it runs, write to another layer from one moment on, with file
   * systems at rest if its agent answers. Does nothing if it writes to that layer already.
   * @param overlay path of an empty layer on top of the present one
   * @returns the state of the file systems at that moment; undefined if the machine does not run
   */
  snapshotDisk: (
    machineId: string,
    volumeId: string,
    overlay: string,
  ) => Promise<TakenSnapshot | undefined>
  /**
   * Makes a disk of a machine larger, and tells its guest.
   * @param size bytes
   * @param otherwise makes the layer larger while the machine does not run, and is not started
   */
  growDisk: (
    machineId: string,
    volumeId: string,
    size: number,
    otherwise: () => Promise<void>,
  ) => Promise<void>
}

export interface Qcow2VolumesOptions {
  /** Where the files are; on a disk with room for the contents of all volumes. */
  directory: string
  /** Where servers of this host find each other's processes; by default, in that directory. */
  sockets?: string
  /** Whether the directory is on a file system of the operator's choice, which is to be tested. */
  isChosen?: boolean
  /** Bytes that writes and copies leave free on its disk, and on that of each other storage pool. */
  keepFree?: number
  /** Without it, no snapshots are taken of volumes that a machine may have open. */
  domains?: DomainDisks
  /** Without them, volumes that a machine has open do not move to another storage pool. */
  copies?: DiskCopies
  /** Hosts besides that of the server, which are to reach the storage pools. */
  hosts?: () => Promise<AskedHost[]>
  /** The mounts on the host of the server, where it is no added one. */
  ownMounts?: PoolMounts
  /** How long the programs that have disks open may be silent. */
  limits?: NbdLimits
}

type Parts = Pick<EngineContext, 'database' | 'log' | 'clock'>

/** Volumes with parts beyond the port. */
export interface Qcow2Volumes extends Volumes {
  formats: readonly ['qcow2']
  storagePools: StoragePools
  /** Where a volume is opened now; undefined if there is none. */
  sourceOf: (volumeId: string) => Promise<VolumeSource | undefined>
  /**
   * Firmware that a volume boots by; undefined for a volume that boots by none, or is gone. The answer
   * for a disk is stored, and inherited by its snapshots and copies.
   * @param volumeId a volume that no machine has open
   */
  firmwareOf: (volumeId: string, its: { cd: boolean }) => Promise<Firmware | undefined>
  /** The variables of UEFI that a volume has; undefined for the first boot. */
  firmwareVariables: (volumeId: string) => Promise<Uint8Array | undefined>
  keepFirmwareVariables: (volumeId: string, data: Uint8Array) => Promise<void>
  /**
   * Bytes that can be written to each of these volumes; none while one of their storage pools cannot
   * be used, or their guest is paused for a move.
   */
  roomFor: (volumeIds: readonly string[]) => Promise<number>
  /** Waits until no chain of layers is being shortened. */
  settled: () => Promise<void>
}

/** The layer of a volume changed between looking and opening it. */
class LayerChanged extends Error {}

const zip = promisify(gzip)
const unzip = promisify(gunzip)

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))

/**
 * Volumes in qcow2 files, by `qemu-img` and `qemu-nbd`. Servers that share a database share the
 * directory as well.
 */
export function createQcow2Volumes(
  { database, log, clock }: Parts,
  {
    directory,
    sockets = join(directory, 'sockets'),
    isChosen = false,
    keepFree = 0,
    domains,
    copies,
    limits,
    hosts = async () => [],
    ownMounts,
  }: Qcow2VolumesOptions,
): Qcow2Volumes {
  const { db, shared } = database
  const rows = createRows(database)
  const written = createWritten(database)
  const files = layerFiles(directory, {
    shared,
    pools: {
      directoryOf: (id) => pools.directoryOf(id),
      callsIn: (path) => pools.callsIn(path),
    },
  })
  const pools = createPools({
    database,
    log,
    directory,
    isGuarded: isChosen,
    sockets,
    files,
    hosts,
    ownMounts,
  })
  const exports = createExports(files.path, sockets, { shared, limits })
  const space = freeSpace(() => pools.callsIn(directory).free(directory), keepFree)
  /** Storage pool besides the first one → its space. */
  const spaces = new Map<string, FreeSpace>()
  const locks = createVolumeLocks()

  /** Runs a change of the layers of a volume while nothing else uses it, at any server. */
  const alone = <T>(id: string, work: () => Promise<T>): Promise<T> =>
    locks.alone(id, async () => {
      if (!shared) return work()
      const until = performance.now() + RELEASE_MS
      for (;;) {
        const done = await withLease(database, `libvirt-volume-${id}`, async () => ({
          value: await work(),
        }))
        if (done) return done.value
        if (performance.now() > until) throw fail.unavailable(diskInUse.byServer)
        await pause(LOOK_MS)
      }
    })

  /** Waits until no process can write to a layer any more. */
  async function unlocked(layerId: string): Promise<void> {
    await exports.release(layerId)
    const until = performance.now() + RELEASE_MS
    for (;;) {
      try {
        await imageInfo(files.path(layerId), 'qcow2')
        return
      } catch (error) {
        // Any other problem shows when the layer is used.
        if (!meansInUse(error)) return
        if (performance.now() > until) throw fail.unavailable(diskInUse.byServer)
      }
      await pause(LOOK_MS)
    }
  }

  function spaceOf(poolId: string | null): FreeSpace {
    if (poolId === null) return space
    let found = spaces.get(poolId)
    if (!found) spaces.set(poolId, (found = freeSpace(() => pools.free(poolId), keepFree)))
    return found
  }

  /**
   * Bytes that can still be written to a storage pool.
   * @throws UnusablePoolError
   */
  async function roomIn(poolId: string | null): Promise<number> {
    if (poolId !== null) await pools.directoryOf(poolId)
    return spaceOf(poolId).room()
  }

  const flattener = createFlattener({ database, log, rows, files, room: roomIn })

  const admitIn = (db: Tx, id: string, fence: number | undefined): Promise<void> =>
    admit({ db, dialect: database.dialect }, id, fence)
  const transfers = createTransfers({
    database,
    rows,
    files,
    exports,
    room: roomIn,
    requireUsable: async (id) => id === null || pools.directoryOf(id),
    admit: admitIn,
    alone,
    running: createRunningTransfers({
      database,
      rows,
      files,
      copies,
      room: roomIn,
      admit: admitIn,
      alone,
      advance,
    }),
    async rest(id) {
      await advance(id)
      const { machine_id: machineId, layer_id: layerId } = await rows.volume(id)
      if (machineId !== null) throw fail.unavailable(diskInUse.byInstance)
      await unlocked(layerId)
    },
  })
  const conversions = createConversions({
    database,
    rows,
    files,
    exports,
    written: written.list,
    room: roomIn,
    admit: admitIn,
    alone,
  })

  async function makeLayer(layerId: string): Promise<void> {
    const layer = await rows.layer(layerId)
    if (layer.made === 1) return
    await files.make(layer)
    await rows.made(layerId)
  }

  /**
   * Completes a snapshot that was begun, perhaps by a server that was killed meanwhile. If its guest
   * has stopped since, nobody knows whether it wrote to the next layer; that layer is right in both
   * cases, and the snapshot counts as one of a running guest.
   */
  async function completeSnapshot(volumeId: string): Promise<void> {
    const row = await rows.find(volumeId)
    if (!row || row.next_layer_id === null) return
    const mayBeUsed = await hasGoneOn(row)
    await makeLayer(row.next_layer_id)
    let consistency: TakenSnapshot['consistency'] = mayBeUsed ? 'crash_consistent' : 'offline'
    if (row.machine_id !== null) {
      if (!domains) throw fail.unavailable(diskInUse.byInstance)
      const overlay = files.path(row.next_layer_id)
      const moved = await domains.snapshotDisk(row.machine_id, volumeId, overlay)
      if (moved) consistency = moved.consistency
    }
    await rows.finishSnapshot(volumeId, consistency)
    await unlocked(row.layer_id)
    flattener.look(row.next_layer_id)
  }

  /**
   * Whether a snapshot that was begun has to be completed before a volume is used, because a guest
   * may have written to the next layer. If the disk is full, that layer cannot be made.
   */
  const hasGoneOn = async ({ next_layer_id: next }: VolumeRow): Promise<boolean> =>
    next !== null && (await rows.layer(next)).made === 1

  const presentLayer = async (row: VolumeRow): Promise<string> =>
    (await hasGoneOn(row)) ? row.next_layer_id! : row.layer_id

  async function recogniseFirmware(
    row: VolumeRow,
    layerId: string,
    its = { cd: false },
  ): Promise<Firmware | undefined> {
    // Opened as by others, so that they need not wait for each other.
    const writable = row.machine_id === null && (await isWritable(row))
    const found = await exports.use(layerId, writable, (connection) =>
      firmwareIn(
        (offset, length) =>
          connection.read(offset, Math.max(0, Math.min(length, connection.size - offset))),
        its,
      ),
    )
    if (found !== undefined && !its.cd) await rows.setFirmware(row.id, found)
    return found
  }

  /** Completes a snapshot that was begun, and leaves a layer that a backup has. */
  async function advance(volumeId: string): Promise<void> {
    const row = await rows.find(volumeId)
    if (!row) return
    if (row.next_layer_id === null) {
      if (row.is_snapshot === 1 || !(await files.isBackedUp(row.layer_id))) return
      await rows.beginLayer(volumeId)
    }
    await completeSnapshot(volumeId)
  }

  /**
   * Whether the layer of a volume may be opened for writing. A backup opens its layers only once
   * nobody has them open so.
   */
  const isWritable = async (row: VolumeRow): Promise<boolean> =>
    row.is_snapshot === 0 && !(await files.isBackedUp(row.layer_id))

  /**
   * Uses a volume or a snapshot beside other uses.
   * @throws NoVolumeError
   * @throws ApiError 400 if a guest may be writing to it, 503 if its storage pool cannot be used
   */
  async function using<T>(id: string, work: (row: VolumeRow) => Promise<T>): Promise<T> {
    try {
      return await usingOnce(id, work)
    } catch (error) {
      if (error instanceof UnusablePoolError) throw fail.unavailable(diskSilent)
      throw error
    }
  }

  async function usingOnce<T>(id: string, work: (row: VolumeRow) => Promise<T>): Promise<T> {
    for (;;) {
      const done = await locks.shared(id, async () => {
        const row = await rows.volume(id)
        if (row.machine_id !== null) throw fail.invalidRequest(diskInUse.byInstance)
        if (await hasGoneOn(row)) return undefined
        try {
          return { value: await work(row) }
        } catch (error) {
          if (error instanceof LayerChanged) return undefined
          return explain(error, row)
        }
      })
      if (done) return done.value
      await alone(id, () => advance(id))
    }
  }

  /** Throws the error of a failed access in the terms of the port. */
  async function explain(error: unknown, { id, layer_id: layerId }: VolumeRow): Promise<never> {
    if (error instanceof NbdError) {
      if (error.errno === constants.errno.ENOSPC) throw new NoSpaceError('the disk is full')
      if (error.errno === constants.errno.EIO) {
        await noteDamage({ db, log, now: clock() }, 'volume', id, null)
        throw fail.unavailable(scrubMessages.damaged)
      }
    }
    if (error instanceof LayerInUseError) throw fail.unavailable(diskInUse.byServer)
    if (error instanceof LateNbdError) throw fail.unavailable(diskSilent)
    if (!(await files.has(layerId))) throw new Error(`the bytes of volume ${id} are lost`)
    throw error
  }

  const inside = (row: VolumeRow, offset: number, length: number): void => {
    if (offset >= 0 && offset + length <= row.size) return
    throw new Error(`volume ${row.id} has no bytes ${offset} to ${offset + length}`)
  }

  async function writeBytes(row: VolumeRow, offset: number, data: Uint8Array): Promise<void> {
    await exports.use(row.layer_id, true, async (connection) => {
      // A server that freezes the layer waits afterwards until this one has closed it.
      if (await files.isBackedUp(row.layer_id)) throw new LayerChanged()
      if (shared) {
        const now = await rows.volume(row.id)
        if (now.layer_id !== row.layer_id || now.machine_id !== null) throw new LayerChanged()
      }
      await connection.write(offset, data)
    })
    if (row.sealed === 0) await written.add(row.id, offset, data.length)
  }

  const remove = async (id: string): Promise<void> => {
    await conversions.cancel(id)
    await transfers.cancel(id)
    return alone(id, async () => {
      const row = await rows.find(id)
      if (row) await exports.release(row.layer_id)
      await files.remove(await rows.remove(id))
      await endDamage(db, 'volume', { thing: id })
    })
  }

  const createSnapshot = (id: string, volumeId: string) =>
    alone(volumeId, async () => {
      const existing = await rows.find(id)
      if (existing?.consistency) return { consistency: existing.consistency }
      await completeSnapshot(volumeId)
      await rows.beginSnapshot(id, volumeId)
      await completeSnapshot(volumeId)
      const { consistency } = await rows.volume(id)
      return { consistency: consistency! }
    })

  /** The snapshot that a volume begins with; of a source that is a volume, one is taken. */
  async function sourceSnapshot(source: string) {
    const row = await rows.volume(source)
    if (row.is_snapshot === 1) return { id: source, done: async () => {} }
    // Nobody knows this snapshot, so one that a crash leaves is removed as an orphan.
    const id = crypto.randomUUID()
    await createSnapshot(id, source)
    return { id, done: () => remove(id) }
  }

  const grow = (id: string, size: number): Promise<void> =>
    alone(id, async () => {
      await advance(id)
      const row = await rows.volume(id)
      if (row.size >= size) return
      const bytes = wholeSectors(size)
      const growFile = async () => {
        await makeLayer(row.layer_id)
        await unlocked(row.layer_id)
        await growImage(files.path(row.layer_id), bytes)
      }
      if (row.machine_id === null) await growFile()
      else {
        if (!domains) throw fail.unavailable(diskInUse.byInstance)
        await domains.growDisk(row.machine_id, id, bytes, growFile)
      }
      // A crash before this repeats the growth of the file, to the same size.
      await rows.grow(id, row.layer_id, size)
    })

  const rollBack = (id: string, snapshotId: string): Promise<void> =>
    alone(id, async () => {
      await completeSnapshot(id)
      const { layer_id: before, machine_id: machineId } = await rows.volume(id)
      if (machineId !== null) throw fail.unavailable(diskInUse.byInstance)
      await unlocked(before)
      const { layerId, unneeded } = await rows.rollBack(id, snapshotId)
      await files.remove(unneeded)
      await makeLayer(layerId)
      await endDamage(db, 'volume', { thing: id })
      flattener.look(layerId)
    })

  async function heal(): Promise<void> {
    // The files first: one that is made meanwhile has its row already.
    const found = await files.open()
    const layers = await rows.layers()
    const known = new Set(layers.map(({ id }) => id))
    await files.remove(found.filter((id) => !known.has(id)))
    const there = new Set(found)
    const lost = layers.filter(({ id, made }) => made === 1 && !there.has(id))
    if (lost.length > 0) {
      log(`${lost.length} files with the bytes of disks are gone from ${directory}`)
    }
    for (const { id, made } of layers) {
      if (made === 1) continue
      await makeLayer(id).catch((error: unknown) => log(`layer ${id} cannot be made`, error))
    }
  }

  return {
    formats: ['qcow2'],
    storagePools: {
      ...pools.port,
      move: transfers.move,
      stay: transfers.stay,
      async restore() {
        const restored = await knownRestore(db)
        if (!restored) return undefined
        const directories = Object.entries(restored.pools).map(
          ([pool, { path }]) => [pool, path] as const,
        )
        return { id: restored.id, directories: new Map(directories) }
      },
    },

    async start() {
      for (const program of ['qemu-img', 'qemu-nbd']) await runProgram(program, ['--version'])
      // For the owner alone, because it holds the contents of users' disks.
      if (!isChosen) await mkdir(directory, { recursive: true, mode: 0o700 })
      await claimPlace(database, directory)
      if (isChosen) await requireLocks(directory, sockets)
      await adaptToRestore(database, directory)
      await heal()
      await exports.open()
      await flattener.start()
    },
    async close() {
      await conversions.close()
      await transfers.close()
      await flattener.close()
      await exports.close()
      pools.close()
    },
    settled: flattener.idle,
    async roomFor(volumeIds) {
      if (await rows.isSwitching(volumeIds)) return 0
      const rooms = (await rows.poolsOf(volumeIds)).map((pool) =>
        roomIn(pool).catch((error: unknown) => {
          if (!(error instanceof UnusablePoolError)) throw error
          return 0
        }),
      )
      return Math.min(...(await Promise.all(rooms)))
    },
    async sourceOf(volumeId) {
      const row = await rows.find(volumeId)
      if (!row) return undefined
      return { path: files.path(await presentLayer(row)), format: 'qcow2' }
    },
    async firmwareOf(volumeId, its) {
      const row = await rows.find(volumeId)
      if (!row) return undefined
      if (!its.cd && row.firmware !== null) return row.firmware
      const layerId = await presentLayer(row)
      const found = await recogniseFirmware(row, layerId, its)
      // QEMU opens it for writing.
      await exports.release(layerId)
      return found
    },
    async firmwareVariables(volumeId) {
      const data = await rows.nvram(volumeId)
      return data === undefined ? undefined : unzip(base64ToUint8Array(data))
    },
    async keepFirmwareVariables(volumeId, data) {
      await rows.setVariables(volumeId, uint8ArrayToBase64(await zip(data)))
    },

    async create(id, { size, source, pool }, fence) {
      await admit(database, id, fence)
      await alone(id, async () => {
        const isNew = (await rows.find(id)) === undefined
        const from = isNew && source !== undefined ? await sourceSnapshot(source) : undefined
        const layerId = await rows.create(id, size, from?.id, pool)
        await from?.done()
        await makeLayer(layerId)
        flattener.look(layerId)
      })
    },
    async delete(id, fence) {
      await admit(database, id, fence)
      await remove(id)
    },
    async grow(id, size, fence) {
      await admit(database, id, fence)
      await grow(id, size)
    },
    async rollBack(id, snapshotId, fence) {
      await admit(database, id, fence)
      await rollBack(id, snapshotId)
    },
    list: () => rows.ids(false),
    async createSnapshot(id, volumeId, fence) {
      await admit(database, id, fence)
      return createSnapshot(id, volumeId)
    },
    async deleteSnapshot(id, fence) {
      await admit(database, id, fence)
      await remove(id)
    },
    listSnapshots: () => rows.ids(true),

    async write(id, offset, data) {
      await using(id, async (row) => {
        if (!(await spaceOf(row.pool_id).take(data.length))) {
          throw new NoSpaceError('the remaining space is reserved')
        }
        inside(row, offset, data.length)
        if (row.is_snapshot === 1) throw new Error(`snapshot ${id} never changes`)
        await writeBytes(row, offset, data)
      })
    },
    room: space.room,
    read: (id, offset, length) =>
      using(id, async (row) => {
        inside(row, offset, length)
        return exports.use(row.layer_id, await isWritable(row), (connection) =>
          connection.read(offset, length),
        )
      }),
    async written(id) {
      await rows.volume(id)
      return written.list(id)
    },
    async seal(id) {
      await written.end(id)
      // Its contents are complete, and the first start of what is made of it need not look.
      await using(id, (row) => recogniseFirmware(row, row.layer_id)).catch((error: unknown) =>
        log(`the firmware of volume ${id} cannot be read`, error),
      )
    },
    images: conversions.images,
    boots: (id, its) =>
      using(id, async (row) => {
        if (!its.cd && row.firmware !== null) return true
        return (await recogniseFirmware(row, row.layer_id, its)) !== undefined
      }),

    withBytes: rows.idsAfter,
    async check(id, throttle) {
      const row = await rows.find(id)
      if (!row) return []
      const layers = await rows.chain(row.layer_id)
      // The topmost layer of a machine changes; its own reads come upon damage in it, and so does
      // the check after it has stopped.
      if (row.machine_id !== null) layers.shift()
      return (await structureDamage(row, layers)) ?? dataDamage(row, layers[0], throttle)
    },

    async attach(volumeId, machineId, fence) {
      await admit(database, machineId, fence)
      return alone(volumeId, async () => {
        const before = await rows.volume(volumeId)
        if (before.machine_id !== machineId) await advance(volumeId)
        else if (await hasGoneOn(before)) await completeSnapshot(volumeId)
        const { layerId, unneeded } = await rows.attach(volumeId, machineId)
        await files.remove(unneeded)
        // If this call is repeated, the machine may have it open.
        if (before.machine_id !== machineId) await unlocked(layerId)
        return { path: files.path(layerId), format: 'qcow2' as const }
      })
    },
    async detach(volumeId, machineId, fence) {
      await admit(database, machineId, fence)
      await rows.detach(volumeId, machineId)
    },
  }

  /** Whether a layer of a volume has a file with damaged structures, or none. */
  async function isBroken(row: VolumeRow, layerId: string): Promise<boolean> {
    if (!(await files.has(layerId))) {
      // It may have been removed meanwhile, because its bytes are in a layer above it now.
      return (await rows.chain(row.layer_id)).includes(layerId)
    }
    await unlocked(layerId)
    const found = await checkImage(files.path(layerId), 'qcow2')
    return found !== undefined && (found['check-errors'] > 0 || (found.corruptions ?? 0) > 0)
  }

  /** All bytes of a volume, if the structures of one of some of its layers are damaged. */
  async function structureDamage(
    row: VolumeRow,
    layers: readonly string[],
  ): Promise<Extent[] | undefined> {
    const whole = [{ offset: 0, length: row.size }]
    const [top, ...below] = layers
    if (top === undefined) return undefined
    for (const layerId of below) if (await isBroken(row, layerId)) return whole
    if (row.machine_id !== null) return (await isBroken(row, top)) ? whole : undefined
    const broken = await alone(row.id, async () => {
      const present = await rows.find(row.id)
      // It is a machine's by now, or goes on with another layer.
      if (present?.layer_id !== top || present.machine_id !== null) return false
      return isBroken(row, top)
    })
    return broken ? whole : undefined
  }

  /** The extents of a layer of a volume that cannot be read, with those below it. */
  async function dataDamage(
    row: VolumeRow,
    layerId: string | undefined,
    throttle: Throttle,
  ): Promise<Extent[]> {
    const damaged = new Extents()
    if (layerId === undefined) return []
    const { id, size } = row
    /** Whether nothing writes to the layer any more, whatever happens to the volume. */
    const isFrozen = row.machine_id !== null || row.is_snapshot === 1
    const inLayer = <T>(work: (writable: boolean) => Promise<T>): Promise<T> =>
      isFrozen
        ? work(false)
        : using(id, async (present) => {
            if (present.layer_id !== layerId) throw new NoVolumeError(id)
            return work(await isWritable(present))
          })
    try {
      const extents = await inLayer((writable) => exports.map(layerId, writable))
      for (const { start, length, zero } of extents) {
        if (zero) continue
        const end = Math.min(start + length, size)
        for (let at = start; at < end; at += CHECK_BYTES) {
          const bytes = Math.min(CHECK_BYTES, end - at)
          await inLayer((writable) =>
            exports
              .use(layerId, writable, (connection) => connection.read(at, bytes))
              .catch((error: unknown) => {
                if (!(error instanceof NbdError)) throw error
                damaged.add(at, bytes)
              }),
          )
          await throttle(bytes)
        }
      }
    } catch (error) {
      // It was deleted meanwhile, or the volume goes on with another layer.
      if (error instanceof NoVolumeError || !(await files.has(layerId))) return damaged.list()
      throw error
    }
    return damaged.list()
  }
}
