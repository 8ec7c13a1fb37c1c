/** The files of layers: `<id>.qcow2` in one directory, each naming the one below it. */
import { basename, dirname, join } from 'node:path'
import type { Db } from '@steading/control-plane/engine'
import { UnusablePoolError } from '@steading/control-plane/ports'
import { ifThere } from '@steading/files'
import '../tables.ts'
import { type FileCalls, type FoundFile, fileCalls } from '../file-systems/file-calls.ts'
import { copyImage, createImage } from './qemu-img.ts'
import type { LayerRow } from './rows.ts'
import { isUnfinished, unfinished, writeWhole } from './whole-file.ts'

/** Milliseconds after which unfinished files of other servers count as left by a crash. */
const ABANDONED_MS = 10 * 60 * 1000
const LAYER = /^([\da-f-]{36})\.qcow2$/

/** A layer with its storage pool. */
type Placed = Pick<LayerRow, 'id' | 'pool_id'>

/** The layer of a file name; undefined for other names. */
export const layerOfFile = (name: string): string | undefined => LAYER.exec(name)?.[1]

/** Name of the file of a layer. */
export const nameOf = (layerId: string): string => `${layerId}.qcow2`

/** In the directory of each storage pool, while a backup is made: links to the layers in it. */
export const STAGE = '.backup'

/** The files of all layers in a directory that may have bytes. */
export async function layerPaths(db: Db, directory: string): Promise<string[]> {
  const made = await db.selectFrom('libvirt_layer').select('id').where('made', '=', 1).execute()
  return made.map(({ id }) => join(directory, nameOf(id)))
}

/**
 * The present time by the clock that the files of a directory get their times from: that of their
 * server, with a shared file system. Milliseconds.
 */
async function presentIn(directory: string, calls: FileCalls): Promise<number> {
  const probe = join(directory, unfinished('clock'))
  try {
    await calls.create(probe)
    return (await calls.find(probe))!.modified
  } finally {
    await calls.remove(probe)
  }
}

export type LayerFiles = ReturnType<typeof layerFiles>

/** The storage pools, as the files of layers need them. */
export interface LayerPools {
  /** The directory of a pool besides the first one. @throws UnusablePoolError */
  directoryOf: (poolId: string) => Promise<string>
  /** Calls to the files in the directory of any pool. */
  callsIn: (directory: string) => FileCalls
}

/** Other storage pools are not known here. */
const noPools: LayerPools = {
  directoryOf: (poolId) => Promise.reject(new Error(`there is no storage pool ${poolId}`)),
  callsIn: () => fileCalls,
}

/**
 * @param shared whether other servers use the directory at the same time
 * @param pools the layers there have symbolic links in the first one, so a layer has the same path
 *   wherever it is
 */
export function layerFiles(
  directory: string,
  { shared, pools = noPools }: { shared: boolean; pools?: LayerPools },
) {
  const path = (layerId: string): string => join(directory, nameOf(layerId))

  const callsHere = (): FileCalls => pools.callsIn(directory)

  /** Calls to a file in the directory of any pool. */
  const callsTo = (place: string): FileCalls => pools.callsIn(dirname(place))

  /** Where the file of a layer is written. */
  const placeOf = async ({ id, pool_id: pool }: Placed): Promise<string> =>
    pool === null ? path(id) : join(await pools.directoryOf(pool), nameOf(id))

  /** Gives the file of a layer in another storage pool its path. */
  const reveal = async ({ id }: Placed, place: string): Promise<void> => {
    if (place === path(id)) return
    await callsHere().symlink(place, path(id)).catch(ifThere(undefined))
    await callsHere().syncDirectory(directory)
  }

  /** The file in another storage pool; undefined for one here, and where there is none. */
  const linkedFrom = (layerId: string): Promise<string | undefined> =>
    callsHere().linkedFrom(path(layerId))

  /** Finds the file of a layer, wherever it is. Undefined if there is none. */
  const find = async (layerId: string): Promise<FoundFile | undefined> => {
    const place = (await linkedFrom(layerId)) ?? path(layerId)
    return callsTo(place).find(place)
  }

  /** Removes unfinished files, unless another server may be writing them. */
  const removeUnfinished = async (left: string): Promise<void> => {
    const calls = callsTo(left)
    if (shared) {
      const file = await calls.find(left)
      if (!file || (await presentIn(dirname(left), calls)) - file.modified < ABANDONED_MS) return
    }
    await calls.remove(left)
  }

  /** Writes the file of a layer at its place, over one that is there. */
  const replace = (place: string, fill: (part: string) => Promise<void>): Promise<void> => {
    const calls = callsTo(place)
    return writeWhole(place, fill, (part) => calls.rename(part, place), calls)
  }

  return {
    path,

    has: async (layerId: string): Promise<boolean> => (await find(layerId)) !== undefined,

    /**
     * Whether a backup has the file of a layer. Such a file is never written to again: its volume
     * goes on with another layer.
     */
    isBackedUp: async (layerId: string): Promise<boolean> =>
      ((await find(layerId))?.links ?? 0) > 1,

    /**
     * Makes the file of a layer, unless it exists. It reads as the layer below it, and as zeros
     * past its end.
     * @throws NoSpaceError
     */
    async make(layer: LayerRow): Promise<void> {
      const { size, parent_id: parent } = layer
      const place = await placeOf(layer)
      const backing = parent === null ? undefined : nameOf(parent)
      const calls = callsTo(place)
      await writeWhole(
        place,
        (part) => createImage(part, { size, backing }),
        (part) => calls.link(part, place).catch(ifThere(undefined)),
        calls,
      )
      await reveal(layer, place)
    },

    /**
     * Replaces the file of a layer by a copy with all of its bytes, which needs none below it.
     * Processes that have it open keep reading the same bytes in the old file.
     * @throws NoSpaceError
     */
    async flatten(layerId: string, signal: AbortSignal): Promise<void> {
      const place = (await linkedFrom(layerId)) ?? path(layerId)
      await replace(place, (part) => copyImage(path(layerId), 'qcow2', part, { signal }))
    },

    placeOf,
    callsTo,
    reveal,

    /**
     * Writes the file of a layer, over one that is there.
     * @throws NoSpaceError
     */
    async fill(layer: Placed, fill: (part: string) => Promise<void>): Promise<void> {
      const place = await placeOf(layer)
      await replace(place, fill)
      await reveal(layer, place)
    },

    async remove(layerIds: readonly string[]): Promise<void> {
      for (const id of layerIds) {
        const linked = await linkedFrom(id)
        if (linked !== undefined && basename(linked) === nameOf(id)) {
          // Files in a pool that is out of reach are removed by `sweep`.
          await callsTo(linked)
            .remove(linked)
            .catch((error: unknown) => {
              if (!(error instanceof UnusablePoolError)) throw error
            })
        }
        await callsHere().remove(path(id))
      }
    },

    /** Bytes that the files of layers take on the disk. */
    async bytes(layerIds: readonly string[]): Promise<number> {
      let sum = 0
      for (const id of layerIds) sum += (await find(id))?.taken ?? 0
      return sum
    },

    /** Removes what a crash left unfinished. @returns the layers in the directory */
    async open(): Promise<string[]> {
      const found: string[] = []
      for (const name of await callsHere().names(directory)) {
        const layer = layerOfFile(name)
        if (layer !== undefined) found.push(layer)
        if (!isUnfinished(name)) continue
        await removeUnfinished(join(directory, name))
      }
      return found
    },

    /**
     * Removes the layers of another storage pool that nobody knows.
     * @param knownLayers asked after the files, because a file comes after its row
     */
    async sweep(pool: string, knownLayers: () => Promise<ReadonlySet<string>>): Promise<void> {
      const calls = pools.callsIn(pool)
      const names = await calls.names(pool)
      const known = await knownLayers()
      for (const name of names) {
        if (isUnfinished(name)) await removeUnfinished(join(pool, name))
        const layer = layerOfFile(name)
        if (layer !== undefined && !known.has(layer)) await calls.remove(join(pool, name))
      }
    },
  }
}
