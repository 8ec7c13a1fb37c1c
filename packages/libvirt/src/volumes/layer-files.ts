/** The files of layers: `<id>.qcow2` in one directory, each naming the one below it. */
import { link, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '@steading/control-plane/engine'
import { ifMissing, ifThere } from '@steading/files'
import '../tables.ts'
import { copyImage, createImage } from './qemu-img.ts'
import type { LayerRow } from './rows.ts'
import { isUnfinished, writeWhole } from './whole-file.ts'

/** Milliseconds after which unfinished files of other servers count as left by a crash. */
const ABANDONED_MS = 10 * 60 * 1000
const LAYER = /^([\da-f-]{36})\.qcow2$/

/** The layer of a file name; undefined for other names. */
export const layerOfFile = (name: string): string | undefined => LAYER.exec(name)?.[1]

const nameOf = (layerId: string): string => `${layerId}.qcow2`

/** The files of all layers in a directory that may have bytes. */
export async function layerPaths(db: Db, directory: string): Promise<string[]> {
  const made = await db.selectFrom('libvirt_layer').select('id').where('made', '=', 1).execute()
  return made.map(({ id }) => join(directory, nameOf(id)))
}

export type LayerFiles = ReturnType<typeof layerFiles>

/** @param shared whether other servers use the directory at the same time */
export function layerFiles(directory: string, { shared }: { shared: boolean }) {
  const path = (layerId: string): string => join(directory, nameOf(layerId))

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
    async make({ id, size, parent_id: parent }: LayerRow): Promise<void> {
      const backing = parent === null ? undefined : nameOf(parent)
      await writeWhole(
        path(id),
        (part) => createImage(part, { size, backing }),
        (part) => link(part, path(id)).catch(ifThere(undefined)),
      )
    },

    /**
     * Replaces the file of a layer by a copy with all of its bytes, which needs none below it.
     * Processes that have it open keep reading the same bytes in the old file.
     * @throws NoSpaceError
     */
    flatten: (layerId: string, signal: AbortSignal): Promise<void> =>
      writeWhole(
        path(layerId),
        (part) => copyImage(path(layerId), 'qcow2', part, { signal }),
        (part) => rename(part, path(layerId)),
      ),

    async remove(layerIds: readonly string[]): Promise<void> {
      for (const id of layerIds) await rm(path(id), { force: true })
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
        const left = join(directory, name)
        const file = await stat(left).catch(ifMissing(undefined))
        if (shared && file && Date.now() - file.mtimeMs < ABANDONED_MS) continue
        await rm(left, { force: true })
      }
      return found
    },
  }
}
