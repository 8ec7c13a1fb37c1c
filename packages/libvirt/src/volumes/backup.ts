/**
 * The files of all layers at one moment, for a backup. They are linked, not copied: a layer with a
 * second link is never written to again, because its volume goes on with another one. Machines that
 * run are moved to another layer before that. Links do not leave a file system, so the directory of
 * each storage pool has a stage of its own.
 */
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { OpenDatabase } from '@steading/control-plane/engine'
import {
  BackupError,
  type EngineBackup,
  type PoolFile,
  UnusablePoolError,
} from '@steading/control-plane/ports'
import { TOKEN_FILE } from '@steading/files'
import { type DiskSwitch, MovingMachineError } from '../domain-disks.ts'
import '../tables.ts'
import { type FileCalls, fileCalls } from '../file-systems/file-calls.ts'
import { layerFiles, nameOf, STAGE } from './layer-files.ts'
import { createPools } from './pools.ts'
import { imageInfo, meansInUse } from './qemu-img.ts'
import { requirePlace } from './place.ts'
import { createRows, type LayerRow, NoVolumeError, type VolumeRow } from './rows.ts'
import { runProgram } from './run-program.ts'

/** Milliseconds to wait for a machine that starts, and for a server that writes to a layer. */
const WAIT_MS = 30_000
const LOOK_MS = 100
const MOVING_DISK =
  'a disk of a running instance is being moved to another storage pool; try again once it is there'

/** Why a look has to be repeated. */
class NotYet {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}
const starting = new NotYet('an instance is being started; try again')
const moving = new NotYet('an instance is being moved to another sled; try again once it is there')
const writing = new NotYet('a server writes to a disk; try again')

/** Repeats a look until it finds something. @throws BackupError with the reason after some time */
async function waitFor<T>(look: () => Promise<T | NotYet>): Promise<T> {
  const until = performance.now() + WAIT_MS
  for (;;) {
    const found = await look()
    if (!(found instanceof NotYet)) return found
    if (performance.now() > until) throw new BackupError(found.reason)
    await pause(LOOK_MS)
  }
}

/** Where the links to the layers of a storage pool are. */
interface Stage {
  directory: string
  calls: FileCalls
}

/** @param directory of the layers */
export function createVolumesBackup(
  database: OpenDatabase,
  directory: string,
  disks: Pick<DiskSwitch, 'stateOf' | 'switchDisks'>,
): EngineBackup {
  const rows = createRows(database)
  const files = layerFiles(directory, {
    shared: true,
    pools: {
      directoryOf: (id) => pools.directoryOf(id),
      callsIn: (path) => pools.callsIn(path),
    },
  })
  const pools = createPools({
    database,
    directory,
    sockets: join(directory, 'sockets'),
    files,
    hosts: async () => [],
  })
  const firstStage: Stage = { directory: join(directory, STAGE), calls: fileCalls }
  /** Pool → its stage; null is the first pool. */
  const stages = new Map<string | null, Stage>()
  /** Pool → the layers in its stage. */
  const taken = new Map<string | null, string[]>()
  /** Volume of a running machine → the new layer to which the machine writes. */
  const moved = new Map<string, string>()
  /** The taken layers that could be written to until then. */
  let tops: VolumeRow[] = []

  const staged = (pool: string | null, layerId: string): string =>
    join(stages.get(pool)!.directory, nameOf(layerId))

  const isMoved = ({ id, next_layer_id: next }: VolumeRow): boolean =>
    next !== null && moved.get(id) === next

  /**
   * Makes the layer with which a volume of a running machine continues, and keeps it for the backup
   * as it is before anything is written to it.
   */
  async function addLayer({ id, pool_id: pool }: VolumeRow): Promise<string | undefined> {
    // A server takes a snapshot; the next attempt comes after it.
    if (!(await rows.beginLayer(id))) return undefined
    const { next_layer_id: next } = await rows.volume(id)
    if (next === null) return undefined
    await files.make(await rows.layer(next))
    await (await stageOf(pool)).calls.copy(files.path(next), staged(pool, next))
    await rows.made(next)
    moved.set(id, next)
    return files.path(next)
  }

  /** Whether a machine runs, once it neither starts nor moves. */
  const isRunning = (machineId: string): Promise<boolean> =>
    waitFor(async () => {
      const state = await disks.stateOf(machineId)
      if (state === 'starting') return starting
      return state === 'moving' ? moving : state === 'running'
    })

  /** Makes a machine write to other layers, once it does not move. */
  const switchDisks = (machineId: string, overlays: ReadonlyMap<string, string>) =>
    waitFor(() =>
      disks.switchDisks(machineId, overlays, false).catch((error: unknown) => {
        if (error instanceof MovingMachineError) return moving
        throw error
      }),
    )

  async function moveMachine(machineId: string, volumes: readonly VolumeRow[]): Promise<void> {
    if (!(await isRunning(machineId))) return
    for (const { id } of volumes) {
      const transfer = await rows.transferOf(id)
      if (transfer?.machine_id != null) throw new BackupError(MOVING_DISK)
    }
    const overlays = new Map<string, string>()
    for (const volume of volumes) {
      if (isMoved(volume)) continue
      const { id, next_layer_id: begun } = volume
      if (begun !== null) {
        // A server is at it, or it was left by a crash: the machine may write to it or not.
        await files.make(await rows.layer(begun))
        await rows.made(begun)
        await switchDisks(machineId, new Map([[id, files.path(begun)]]))
        await rows.finishLayer(id, begun)
      }
      const overlay = await addLayer(volume).catch((error: unknown) => {
        // Its machine has ended, and it was deleted.
        if (error instanceof NoVolumeError) return undefined
        throw error
      })
      if (overlay !== undefined) overlays.set(id, overlay)
    }
    // All disks of a machine at the same moment.
    if (overlays.size > 0) await switchDisks(machineId, overlays)
  }

  /** Whether everything that a machine may write to is new. */
  async function isReady(volumes: readonly VolumeRow[]): Promise<boolean> {
    for (const volume of volumes) {
      if (volume.machine_id === null || isMoved(volume)) continue
      if ((await disks.stateOf(volume.machine_id)) !== 'off') return false
    }
    return true
  }

  /** Makes the stage of a pool, over what a backup left there that was killed. */
  async function stageOf(pool: string | null): Promise<Stage> {
    const known = stages.get(pool)
    if (known) return known
    let stage = firstStage
    if (pool !== null) {
      const path = await pools.directoryOf(pool)
      stage = { directory: join(path, STAGE), calls: pools.callsIn(path) }
    }
    await stage.calls.remove(stage.directory)
    stages.set(pool, stage)
    await stage.calls.makeDirectory(stage.directory, 0o700)
    return stage
  }

  /** Makes the stages of all pools. One without layers may be out of reach. */
  async function prepareStages(): Promise<void> {
    const inUse = new Set((await rows.layers()).map((layer) => layer.pool_id))
    for (const pool of [null, ...(await pools.ids())]) {
      await stageOf(pool).catch((error: unknown) => {
        if (!(error instanceof UnusablePoolError) || inUse.has(pool)) throw error
      })
    }
  }

  /** @returns whether there are stages for all of them */
  async function linkLayers(
    layers: readonly LayerRow[],
    fresh: ReadonlySet<string>,
  ): Promise<boolean> {
    const made = layers.filter((layer) => layer.made === 1)
    const inPools = Map.groupBy(made, (layer) => layer.pool_id)
    if ([...inPools.keys()].some((pool) => !stages.has(pool))) return false
    for (const [pool, its] of inPools) {
      const stage = stages.get(pool)!
      const linked = its.filter(({ id }) => !fresh.has(id)).map(({ id }) => nameOf(id))
      // The bytes of a missing file are lost, which a backup does not change.
      await stage.calls.linkAll(linked, dirname(stage.directory), stage.directory)
      taken.set(
        pool,
        its.map(({ id }) => id),
      )
    }
    return true
  }

  /** Says of a pool that cannot be used that the backup needs it. */
  async function orBackupError<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof UnusablePoolError)) throw error
      throw new BackupError(`the disks of a storage pool cannot be backed up: ${error.message}`)
    }
  }

  async function* contentOf(path: string): AsyncGenerator<Uint8Array> {
    const bytes = pools.read(path)
    for (;;) {
      const piece = await orBackupError(() => bytes.next())
      if (piece.done) return
      yield piece.value
    }
  }

  /** Of the layers besides those of the first pool. */
  async function others(): Promise<PoolFile[]> {
    const found: PoolFile[] = []
    for (const [pool, ids] of taken) {
      if (pool === null) continue
      for (const id of ids) {
        const path = staged(pool, id)
        const file = await stages.get(pool)!.calls.find(path)
        if (!file) continue
        found.push({ name: nameOf(id), size: file.size, pool, read: () => contentOf(path) })
      }
    }
    return found
  }

  async function prepare(): Promise<void> {
    if (stages.size === 0) {
      await runProgram('qemu-img', ['--version'])
      await requirePlace(database.db, directory)
    }
    await prepareStages()
    await fileCalls.copy(join(directory, TOKEN_FILE), join(firstStage.directory, TOKEN_FILE))
    const attached = (await rows.volumes()).filter(({ machine_id: machine }) => machine !== null)
    for (const [machineId, volumes] of Map.groupBy(attached, (volume) => volume.machine_id!)) {
      await moveMachine(machineId, volumes)
    }
  }

  async function take(): Promise<boolean> {
    const volumes = await rows.volumes()
    if (!(await isReady(volumes))) return false
    const fresh = new Set(volumes.filter(isMoved).map((volume) => volume.next_layer_id!))
    for (const next of moved.values()) {
      if (!fresh.has(next)) await fileCalls.remove(staged(null, next))
    }
    if (!(await linkLayers(await rows.layers(), fresh))) return false
    tops = volumes
    return true
  }

  async function settle(): Promise<void> {
    for (const [id, next] of moved) await rows.finishLayer(id, next)
    for (const { layer_id: layerId, pool_id: pool } of tops) {
      const stage = stages.get(pool)
      // It was made in a new pool, and has no bytes yet.
      if (!stage) continue
      const path = staged(pool, layerId)
      if (!(await stage.calls.find(path))) continue
      await waitFor(async () => {
        try {
          await imageInfo(path, 'qcow2')
        } catch (error) {
          // Damage is in the backup as well.
          if (meansInUse(error)) return writing
        }
        return true
      })
    }
  }

  return {
    name: 'volumes',
    directory: firstStage.directory,
    prepare: () => orBackupError(prepare),
    take: () => orBackupError(take),
    settle: () => orBackupError(settle),
    others: () => orBackupError(others),

    async close() {
      for (const stage of stages.values()) {
        await stage.calls.remove(stage.directory).catch((error: unknown) => {
          // The next backup removes it.
          if (!(error instanceof UnusablePoolError)) throw error
        })
      }
      pools.close()
    },
  }
}
