import type { Settings } from '../../kernel/settings.ts'
import type { ComputeEngine } from '../../kernel/ports/engine.ts'
import type { BlockStore } from '../../kernel/ports/block-store.ts'
import type { VolumeState, World } from './world.ts'

type VolumePort = Pick<
  ComputeEngine,
  | 'createVolume'
  | 'deleteVolume'
  | 'listVolumes'
  | 'createSnapshot'
  | 'deleteSnapshot'
  | 'listSnapshots'
  | 'writeVolume'
  | 'readVolume'
  | 'writtenExtents'
  | 'sealVolume'
>

/**
 * Volumes and snapshots of the simulated engine. The world knows which there are, the store has
 * their bytes. Both are written in an order that leaves, whenever it is cut off, a row of the world
 * for everything in the store; so whoever clears the rows clears the bytes.
 */
export function createVolumes(
  world: World,
  store: BlockStore,
  fault: (action: string, id: string) => void,
  log: Settings['log'],
): VolumePort & { start: () => Promise<void> } {
  const volumes = new Map<string, VolumeState>()
  /** Volumes that had bytes once, where the store has none. */
  const lost = new Set<string>()

  const known = (id: string): VolumeState => {
    const volume = volumes.get(id)
    if (!volume) throw new Error(`there is no volume ${id}`)
    if (lost.has(id)) throw new Error(`the bytes of volume ${id} are lost`)
    return volume
  }
  const inside = (id: string, offset: number, length: number): void => {
    if (offset < 0 || offset + length > known(id).size) {
      throw new Error(`volume ${id} has no bytes ${offset} to ${offset + length}`)
    }
  }
  const markStored = async (id: string) => {
    if (volumes.get(id)?.hasBytes) return
    await world.markVolumeStored(id)
    const volume = volumes.get(id)
    if (volume) volume.hasBytes = true
  }
  const create = async (id: string, size: number, snapshot: boolean, source?: string) => {
    if (source !== undefined) known(source)
    await world.saveVolume(id, size, snapshot)
    if (!volumes.has(id)) volumes.set(id, { size, snapshot, hasBytes: false })
    if (source !== undefined && (await store.copy(source, id))) await markStored(id)
  }
  const remove = async (id: string) => {
    await store.remove(id)
    await world.removeVolume(id)
    volumes.delete(id)
    lost.delete(id)
  }
  const ids = (snapshot: boolean) =>
    [...volumes].filter(([, volume]) => volume.snapshot === snapshot).map(([id]) => id)

  return {
    async start() {
      await store.open()
      const stored = new Set(await store.list())
      for (const [id, volume] of await world.volumes()) {
        volumes.set(id, volume)
        if (volume.hasBytes && !stored.has(id)) lost.add(id)
      }
      if (lost.size > 0) {
        log(`the bytes of ${lost.size} disks or snapshots are gone from the data directory`)
      }
    },

    async createVolume(id, { size, source }) {
      fault('createVolume', id)
      await create(id, size, false, source)
    },
    async deleteVolume(id) {
      fault('deleteVolume', id)
      await remove(id)
    },
    async listVolumes() {
      return ids(false)
    },

    async createSnapshot(id, source) {
      fault('createSnapshot', id)
      await create(id, known(source).size, true, source)
    },
    async deleteSnapshot(id) {
      fault('deleteSnapshot', id)
      await remove(id)
    },
    async listSnapshots() {
      return ids(true)
    },

    async writeVolume(id, offset, data) {
      fault('writeVolume', id)
      inside(id, offset, data.length)
      await store.write(id, offset, data)
      await markStored(id)
    },
    async readVolume(id, offset, length) {
      fault('readVolume', id)
      inside(id, offset, length)
      return store.read(id, offset, length)
    },
    async writtenExtents(id) {
      known(id)
      return store.written(id)
    },
    async sealVolume(id) {
      await store.seal(id)
    },
  }
}
