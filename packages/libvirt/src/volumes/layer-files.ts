/** The files of layers: `<id>.qcow2` in one directory, each naming the one below it. */
import { link, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ifMissing, ifThere } from '@steading/files'
import { copyImage, createImage } from './qemu-img.ts'
import type { LayerRow } from './rows.ts'
import { isUnfinished, writeWhole } from './whole-file.ts'

/** Milliseconds after which unfinished files of other servers count as left by a crash. */
const ABANDONED_MS = 10 * 60 * 1000
const LAYER = /^([\da-f-]{36})\.qcow2$/

const nameOf = (layerId: string): string => `${layerId}.qcow2`

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

    /** Makes the directory, and removes what a crash left unfinished. @returns the layers in it */
    async open(): Promise<string[]> {
      // For the owner alone, because it holds the contents of users' disks.
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const found: string[] = []
      for (const name of await readdir(directory)) {
        const layer = LAYER.exec(name)?.[1]
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
