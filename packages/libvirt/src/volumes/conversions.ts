/**
 * Images that were written to volumes, as the contents of the volumes. The new contents get a layer
 * of their own, which takes the place of the image in one transaction, so a crash at any point
 * leaves one or the other.
 */
import { setTimeout as pause } from 'node:timers/promises'
import {
  IMAGE_HEAD_BYTES,
  type ImageFormat,
  imageFormats,
  isConverted,
  recogniseImage,
} from '@steading/api/rules'
import { type OpenDatabase, type Tx, onlyHere } from '@steading/control-plane/engine'
import type { ConversionState, Extent, ImageConverter } from '@steading/control-plane/ports'
import type { Exports } from './exports.ts'
import { createFairQueue } from './fair-queue.ts'
import { convertImage } from './formats.ts'
import type { LayerFiles } from './layer-files.ts'
import type { ImageInLayer } from './qemu-img.ts'
import type { Rows, VolumeRow } from './rows.ts'

/** Interval at which a conversion looks whether its volume still exists. Milliseconds. */
const WATCH_MS = 1_000
/** Longest wait of a call for the end of a conversion. Milliseconds. */
const WAIT_MS = 1_000

interface Parts {
  database: OpenDatabase
  rows: Rows
  files: LayerFiles
  exports: Exports
  /** The extents that were written to a volume. */
  written: (volumeId: string) => Promise<Extent[]>
  /** Bytes that can still be written to a storage pool. */
  room: (poolId: string | null) => Promise<number>
  admit: (tx: Tx, id: string, fence: number) => Promise<void>
  /** Runs a change of the layers of a volume while nothing else uses it. */
  alone: (volumeId: string, work: () => Promise<void>) => Promise<void>
}

interface Conversion {
  owner: string
  /** Aborted when its volume is deleted, or the server ends. */
  ending: AbortController
  format: ImageFormat | undefined
  part: number
  /** Whether this server did it, or another one is at it. */
  isOurs: boolean
  /** The error, if it failed. */
  ended: Promise<{ error: unknown } | undefined>
}

export function createConversions({
  database,
  rows,
  files,
  exports,
  written,
  room,
  admit,
  alone,
}: Parts) {
  const running = new Map<string, Conversion>()
  const queue = createFairQueue()

  /** The image in a volume, which ends with the last written byte. */
  async function imageIn({ id, layer_id: layerId }: VolumeRow): Promise<ImageInLayer> {
    const bytes = Math.max(0, ...(await written(id)).map(({ offset, length }) => offset + length))
    return {
      layer: files.path(layerId),
      bytes,
      read: (offset, length) =>
        exports.use(layerId, true, (connection) =>
          connection.read(offset, Math.max(0, Math.min(length, bytes - offset))),
        ),
    }
  }

  /** The layer for the new contents: a new one, or that of an attempt before a crash. */
  const targetOf = (row: VolumeRow, fence: number): Promise<string> =>
    database.transaction(async (tx) => {
      await admit(tx, row.id, fence)
      const begun = await tx
        .selectFrom('libvirt_conversion')
        .select('layer_id')
        .where('volume_id', '=', row.id)
        .executeTakeFirst()
      if (begun) return begun.layer_id
      const layerId = await rows.addLayer(tx, row.size, null, row.pool_id)
      await tx
        .insertInto('libvirt_conversion')
        .values({ volume_id: row.id, layer_id: layerId })
        .execute()
      return layerId
    })

  /** Puts the new contents in the place of the image. */
  const exchange = (volumeId: string, target: string): Promise<void> =>
    alone(volumeId, async () => {
      const row = await rows.find(volumeId)
      // It may have been deleted meanwhile.
      if (!row) return files.remove([target])
      await exports.release(row.layer_id)
      await files.remove(await rows.endConversion(volumeId, true))
    })

  async function work(row: VolumeRow, fence: number, conversion: Conversion): Promise<void> {
    const image = await imageIn(row)
    const found = recogniseImage(await image.read(0, IMAGE_HEAD_BYTES))
    // All else may be the bytes of a disk, also a beginning that files of other kinds have.
    if ('problem' in found || !isConverted(found.format)) return
    conversion.format = found.format
    const { signal } = conversion.ending
    const target = await targetOf(row, fence)
    // A start may have made it, without contents.
    await files.remove([target])
    const layer = await rows.layer(target)
    const place = await files.placeOf(layer)
    try {
      await convertImage(image, place, {
        maxSize: row.size,
        size: layer.size,
        calls: files.callsTo(place),
        room: await room(row.pool_id),
        signal,
        progress: (part) => (conversion.part = part),
      })
    } catch (error) {
      if (!signal.aborted) await files.remove(await rows.endConversion(row.id, false))
      throw error
    }
    await files.reveal(layer, place)
    await exchange(row.id, target)
  }

  /** Does the work until the volume is deleted, by this server or another one. */
  async function whileThere(row: VolumeRow, fence: number, conversion: Conversion): Promise<void> {
    const look = async () => {
      if (!(await rows.find(row.id))) conversion.ending.abort()
    }
    // A database that does not answer ends the work by its next write.
    const timer = setInterval(() => void look().catch(() => {}), WATCH_MS)
    try {
      await work(row, fence, conversion)
    } finally {
      clearInterval(timer)
    }
  }

  function begin(row: VolumeRow, fence: number, owner: string): Conversion {
    const conversion: Conversion = {
      owner,
      ending: new AbortController(),
      format: undefined,
      part: 0,
      isOurs: true,
      ended: Promise.resolve(undefined),
    }
    const lease = `libvirt-convert-${row.id}`
    conversion.ended = onlyHere(database, lease, () => whileThere(row, fence, conversion)).then(
      (isOurs) => void (conversion.isOurs = isOurs),
      (error: unknown) => ({ error }),
    )
    running.set(row.id, conversion)
    return conversion
  }

  async function convert(
    volumeId: string,
    { owner = '', fence = 0 }: { owner?: string; fence?: number } = {},
  ): Promise<ConversionState> {
    const row = await rows.volume(volumeId)
    if (row.sealed === 1) return { done: true, part: 1 }
    const known = running.get(volumeId)
    const owners = [...running.values()].map((each) => each.owner)
    if (!known && !queue.enter(volumeId, owner, owners, performance.now())) return { done: false }
    const conversion = known ?? begin(row, fence, owner)
    const waiting = new AbortController()
    const outcome = await Promise.race([
      conversion.ended.then((failure) => ({ failure })),
      pause(WAIT_MS, undefined, { signal: waiting.signal }).catch(() => undefined),
    ])
    waiting.abort()
    const { format, part } = conversion
    if (!outcome) return { done: false, format, part }
    running.delete(volumeId)
    if (conversion.ending.signal.aborted) return { done: false, format, part }
    if (outcome.failure) throw outcome.failure.error
    return conversion.isOurs ? { done: true, format, part: 1 } : { done: false }
  }

  return {
    images: { formats: imageFormats.filter(isConverted), convert } satisfies ImageConverter,
    /** Ends the conversion of a volume that is deleted. */
    async cancel(volumeId: string): Promise<void> {
      const conversion = running.get(volumeId)
      if (!conversion) return
      conversion.ending.abort()
      await conversion.ended
      running.delete(volumeId)
    },
    /** Ends the conversions; the next start begins them anew. */
    async close(): Promise<void> {
      for (const { ending } of running.values()) ending.abort()
      await Promise.all([...running.values()].map(({ ended }) => ended))
      running.clear()
    },
  }
}
