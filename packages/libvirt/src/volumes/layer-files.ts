/** The files of layers: `<id>.qcow2` in one directory, each naming the one below it. */
import { link, readdir, readlink, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Db } from '@steading/control-plane/engine'
import { errorCode, ifMissing, ifThere, syncDirectory } from '@steading/files'
import '../tables.ts'
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

const nameOf = (layerId: string): string => `${layerId}.qcow2`

/** The files of all layers in a directory that may have bytes. */
export async function layerPaths(db: Db, directory: string): Promise<string[]> {
  const made = await db.selectFrom('libvirt_layer').select('id').where('made', '=', 1).execute()
  return made.map(({ id }) => join(directory, nameOf(id)))
}

/**
 * The present time by the clock that the files of a directory get their times from: that of their
 * server, with a shared file system. Milliseconds.
 */
async function presentIn(directory: string): Promise<number> {
  const probe = join(directory, unfinished('clock'))
  try {
    await writeFile(probe, '', { flag: 'wx', mode: 0o600 })
    return (await stat(probe)).mtimeMs
  } finally {
    await rm(probe, { force: true })
  }
}

export type LayerFiles = ReturnType<typeof layerFiles>

/** Other storage pools are not known here. */
const noPools = (poolId: string): Promise<string> =>
  Promise.reject(new Error(`there is no storage pool ${poolId}`))

/**
 * @param shared whether other servers use the directory at the same time
 * @param poolDirectory the directory of another storage pool. The layers there have symbolic links in
 *   the first one, so a layer has the same path wherever it is.
 */
export function layerFiles(
  directory: string,
  { shared, poolDirectory = noPools }: { shared: boolean; poolDirectory?: typeof noPools },
) {
  const path = (layerId: string): string => join(directory, nameOf(layerId))

  /** Where the file of a layer is written. */
  const placeOf = async ({ id, pool_id: pool }: Placed): Promise<string> =>
    pool === null ? path(id) : join(await poolDirectory(pool), nameOf(id))

  /** Gives the file of a layer in another storage pool its path. */
  const reveal = async ({ id }: Placed, place: string): Promise<void> => {
    if (place === path(id)) return
    await symlink(place, path(id)).catch(ifThere(undefined))
    await syncDirectory(directory)
  }

  /** The file that a link names; undefined for a file, and where there is none. */
  const linkedFrom = (layerId: string): Promise<string | undefined> =>
    readlink(path(layerId)).catch((error: unknown) => {
      if (['ENOENT', 'EINVAL'].includes(errorCode(error) ?? '')) return undefined
      throw error
    })

  /** Removes unfinished files, unless another server may be writing them. */
  const removeUnfinished = async (left: string): Promise<void> => {
    if (shared) {
      const file = await stat(left).catch(ifMissing(undefined))
      if (!file || (await presentIn(dirname(left))) - file.mtimeMs < ABANDONED_MS) return
    }
    await rm(left, { force: true })
  }

  return {
    path,

    has: (layerId: string): Promise<boolean> =>
      stat(path(layerId)).then(() => true, ifMissing(false)),

    /**
     * Whether a backup has the file of a layer. Such a file is never written to again: its volume
     * goes on with another layer.
     */
    isBackedUp: (layerId: string): Promise<boolean> =>
      stat(path(layerId)).then(({ nlink }) => nlink > 1, ifMissing(false)),

    /**
     * Makes the file of a layer, unless it exists. It reads as the layer below it, and as zeros
     * past its end.
     * @throws NoSpaceError
     */
    async make(layer: LayerRow): Promise<void> {
      const { size, parent_id: parent } = layer
      const place = await placeOf(layer)
      const backing = parent === null ? undefined : nameOf(parent)
      await writeWhole(
        place,
        (part) => createImage(part, { size, backing }),
        (part) => link(part, place).catch(ifThere(undefined)),
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
      await writeWhole(
        place,
        (part) => copyImage(path(layerId), 'qcow2', part, { signal }),
        (part) => rename(part, place),
      )
    },

    placeOf,
    reveal,

    /**
     * Writes the file of a layer, over one that is there.
     * @throws NoSpaceError
     */
    async fill(layer: Placed, write: (part: string) => Promise<void>): Promise<void> {
      const place = await placeOf(layer)
      await writeWhole(place, write, (part) => rename(part, place))
      await reveal(layer, place)
    },

    async remove(layerIds: readonly string[]): Promise<void> {
      for (const id of layerIds) {
        const linked = await linkedFrom(id)
        if (linked !== undefined && basename(linked) === nameOf(id)) {
          // Files in a pool that is out of reach are removed by `sweep`.
          await rm(linked, { force: true })
        }
        await rm(path(id), { force: true })
      }
    },

    /** Bytes that the files of layers take on the disk. */
    async bytes(layerIds: readonly string[]): Promise<number> {
      let sum = 0
      for (const id of layerIds) sum += (await stat(path(id))).blocks * 512
      return sum
    },

    /** Removes what a crash left unfinished. @returns the layers in the directory */
    async open(): Promise<string[]> {
      const found: string[] = []
      for (const name of await readdir(directory)) {
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
      const names = await readdir(pool)
      const known = await knownLayers()
      for (const name of names) {
        if (isUnfinished(name)) await removeUnfinished(join(pool, name))
        const layer = layerOfFile(name)
        if (layer !== undefined && !known.has(layer)) await rm(join(pool, name), { force: true })
      }
    },
  }
}
