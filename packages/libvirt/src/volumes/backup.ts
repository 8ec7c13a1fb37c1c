/**
 * The files of all layers at one moment, for a backup. They are linked, not copied: a layer with a
 * second link is never written to again, because its volume goes on with another one. Machines that
 * run are moved to another layer before that.
 */
import { copyFile, link, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { OpenDatabase } from '@steading/control-plane/engine'
import { type EngineBackup, BackupError } from '@steading/control-plane/ports'
import { ifMissing, TOKEN_FILE } from '@steading/files'
import type { DiskSwitch } from '../domain-disks.ts'
import '../tables.ts'
import { layerFiles } from './layer-files.ts'
import { imageInfo, meansInUse } from './qemu-img.ts'
import { requirePlace } from './place.ts'
import { createRows, type LayerRow, NoVolumeError, type VolumeRow } from './rows.ts'
import { runProgram } from './run-program.ts'

/** The directory of the links, beside the layers. */
const STAGE = '.backup'
/** Milliseconds to wait for a machine that starts, and for a server that writes to a layer. */
const WAIT_MS = 30_000
const LOOK_MS = 100

/** Repeats a look until it finds something. @throws BackupError with the reason after some time */
async function waitFor<T>(look: () => Promise<T | undefined>, reason: string): Promise<T> {
  const until = performance.now() + WAIT_MS
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > until) throw new BackupError(reason)
    await pause(LOOK_MS)
  }
}

/** @param directory of the layers */
export function createVolumesBackup(
  database: OpenDatabase,
  directory: string,
  disks: Pick<DiskSwitch, 'stateOf' | 'switchDisks'>,
): EngineBackup {
  const rows = createRows(database)
  const files = layerFiles(directory, { shared: true })
  const stageDirectory = join(directory, STAGE)
  const stage = layerFiles(stageDirectory, { shared: true })
  /** Volume of a running machine → the new layer to which the machine writes. */
  const moved = new Map<string, string>()
  /** The taken layers that could be written to until then. */
  let tops: string[] = []

  const isMoved = ({ id, next_layer_id: next }: VolumeRow): boolean =>
    next !== null && moved.get(id) === next

  /**
   * Makes the layer with which a volume of a running machine continues, and keeps it for the backup
   * as it is before anything is written to it.
   */
  async function addLayer({ id }: VolumeRow): Promise<string | undefined> {
    // A server takes a snapshot; the next attempt comes after it.
    if (!(await rows.beginLayer(id))) return undefined
    const { next_layer_id: next } = await rows.volume(id)
    if (next === null) return undefined
    await files.make(await rows.layer(next))
    await copyFile(files.path(next), stage.path(next))
    await rows.made(next)
    moved.set(id, next)
    return files.path(next)
  }

  async function moveMachine(machineId: string, volumes: readonly VolumeRow[]): Promise<void> {
    const state = await waitFor(async () => {
      const found = await disks.stateOf(machineId)
      return found === 'starting' ? undefined : found
    }, 'a machine is being started; try again')
    if (state === 'off') return
    const overlays = new Map<string, string>()
    for (const volume of volumes) {
      if (isMoved(volume)) continue
      const { id, next_layer_id: begun } = volume
      if (begun !== null) {
        // A server is at it, or it was left by a crash: the machine may write to it or not.
        await files.make(await rows.layer(begun))
        await rows.made(begun)
        await disks.switchDisks(machineId, new Map([[id, files.path(begun)]]), false)
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
    if (overlays.size > 0) await disks.switchDisks(machineId, overlays, false)
  }

  /** Whether everything that a machine may write to is new. */
  async function isReady(volumes: readonly VolumeRow[]): Promise<boolean> {
    for (const volume of volumes) {
      if (volume.machine_id === null || isMoved(volume)) continue
      if ((await disks.stateOf(volume.machine_id)) !== 'off') return false
    }
    return true
  }

  async function linkLayers(layers: readonly LayerRow[], fresh: ReadonlySet<string>) {
    for (const { id, made } of layers) {
      if (made === 0 || fresh.has(id)) continue
      await rm(stage.path(id), { force: true })
      // The bytes of a missing file are lost, which a backup does not change.
      await link(files.path(id), stage.path(id)).catch(ifMissing(undefined))
    }
  }

  return {
    name: 'volumes',
    directory: stageDirectory,

    async prepare() {
      if (moved.size === 0) {
        await runProgram('qemu-img', ['--version'])
        await requirePlace(database.db, directory)
        await rm(stageDirectory, { recursive: true, force: true })
        await mkdir(stageDirectory, { mode: 0o700 })
        await copyFile(join(directory, TOKEN_FILE), join(stageDirectory, TOKEN_FILE))
      }
      const attached = (await rows.volumes()).filter(({ machine_id: machine }) => machine !== null)
      for (const [machineId, volumes] of Map.groupBy(attached, (volume) => volume.machine_id!)) {
        await moveMachine(machineId, volumes)
      }
    },

    async take() {
      const volumes = await rows.volumes()
      if (!(await isReady(volumes))) return false
      const fresh = new Set(volumes.filter(isMoved).map((volume) => volume.next_layer_id!))
      const layers = await rows.layers()
      for (const next of moved.values()) {
        if (!fresh.has(next)) await rm(stage.path(next), { force: true })
      }
      await linkLayers(layers, fresh)
      tops = volumes.map((volume) => volume.layer_id)
      return true
    },

    async settle() {
      for (const [id, next] of moved) await rows.finishLayer(id, next)
      for (const layerId of tops) {
        if (!(await stage.has(layerId))) continue
        await waitFor(async () => {
          try {
            await imageInfo(stage.path(layerId), 'qcow2')
          } catch (error) {
            // Damage is in the backup as well.
            if (meansInUse(error)) return undefined
          }
          return true
        }, 'a server writes to a disk; try again')
      }
    },

    close: () => rm(stageDirectory, { recursive: true, force: true }),
  }
}
