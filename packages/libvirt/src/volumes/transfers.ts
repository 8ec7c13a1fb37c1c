/**
 * Volumes that are copied to another storage pool: all bytes of a volume get a layer of their own
 * there, which takes the place of the layers before in one transaction. A crash at any point leaves
 * one or the other. A volume at rest is copied here, one of a running guest by its QEMU
 * (`running-transfers.ts`).
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type OpenDatabase, type Tx, onlyHere } from '@steading/control-plane/engine'
import { NoSpaceError, type PoolMove, UnusablePoolError } from '@steading/control-plane/ports'
import type { Exports } from './exports.ts'
import type { LayerFiles } from './layer-files.ts'
import { copyBytes, copyImage } from './qemu-img.ts'
import type { Rows } from './rows.ts'
import type { RunningTransfers } from './running-transfers.ts'

/** Longest wait of a call for the end of a copy. Milliseconds. */
const WAIT_MS = 1_000

interface Parts {
  database: OpenDatabase
  rows: Rows
  files: LayerFiles
  exports: Exports
  /** Bytes that can still be written to a pool. */
  room: (poolId: string | null) => Promise<number>
  /** @throws UnusablePoolError */
  requireUsable: (poolId: string | null) => Promise<unknown>
  admit: (tx: Tx, id: string, fence: number | undefined) => Promise<void>
  /** Runs a change of the layers of a volume while nothing else uses it. */
  alone: <T>(volumeId: string, work: () => Promise<T>) => Promise<T>
  /** Completes a snapshot that was begun, and waits until nobody writes to the volume. */
  rest: (volumeId: string) => Promise<void>
  running: RunningTransfers
}

interface Transfer {
  poolId: string | null
  ending: AbortController
  part: number | undefined
  /** Whether this server did it, or another one is at it. */
  isOurs: boolean
  ended: Promise<{ error: unknown } | undefined>
}

export function createTransfers({
  database,
  rows,
  files,
  exports,
  room,
  requireUsable,
  admit,
  alone,
  rest,
  running,
}: Parts) {
  /** The copies of volumes at rest by this server. */
  const copies = new Map<string, Transfer>()

  const targetOf = (volumeId: string, poolId: string | null, fence: number | undefined) =>
    database.transaction(async (tx) => {
      await admit(tx, volumeId, fence)
      return rows.beginTransfer(tx, volumeId, poolId)
    })

  async function work(
    volumeId: string,
    fence: number | undefined,
    transfer: Transfer,
  ): Promise<void> {
    const { poolId, ending } = transfer
    await alone(volumeId, () => rest(volumeId))
    const { layerId, unneeded } = await targetOf(volumeId, poolId, fence)
    await files.remove(unneeded)
    const { layer_id: source } = await rows.volume(volumeId)
    const layer = await rows.layer(layerId)
    const from = { shared: files.path(source) }
    const { signal } = ending
    if ((await room(poolId)) < (await copyBytes(from, 'qcow2', { signal }))) {
      throw new NoSpaceError('the storage pool has no room for the disk')
    }
    // A start may have made it, without contents.
    await files.remove([layerId])
    await files.fill(layer, (part) =>
      copyImage(from, 'qcow2', part, { signal, progress: (done) => (transfer.part = done) }),
    )
    await alone(volumeId, async () => {
      const row = await rows.find(volumeId)
      // It may have been deleted meanwhile, or go on with another layer.
      if (row?.layer_id !== source || row.next_layer_id !== null || signal.aborted) {
        throw new Error(`volume ${volumeId} changed while it was copied`)
      }
      await exports.release(source)
      const removed = await database.transaction(async (tx) => {
        const before = await rows.takeCopy(tx, volumeId, layerId)
        return [...before, ...(await rows.forgetTransfer(tx, volumeId))]
      })
      await files.remove(removed)
    })
  }

  function begin(volumeId: string, poolId: string | null, fence: number | undefined): Transfer {
    const transfer: Transfer = {
      poolId,
      ending: new AbortController(),
      part: undefined,
      isOurs: true,
      ended: Promise.resolve(undefined),
    }
    const lease = `libvirt-transfer-${volumeId}`
    transfer.ended = onlyHere(database, lease, () => work(volumeId, fence, transfer)).then(
      (isOurs) => void (transfer.isOurs = isOurs),
      (error: unknown) => ({ error }),
    )
    copies.set(volumeId, transfer)
    return transfer
  }

  /** Ends a copy of this server. */
  async function end(volumeId: string): Promise<void> {
    const transfer = copies.get(volumeId)
    if (!transfer) return
    transfer.ending.abort()
    await transfer.ended
    copies.delete(volumeId)
  }

  return {
    async move(
      volumeId: string,
      poolId: string | null,
      fence: number | undefined,
    ): Promise<PoolMove> {
      const row = await rows.volume(volumeId)
      const known = copies.get(volumeId)
      const begun = await rows.transferOf(volumeId)
      // A guest that has gone on with its copy may still be paused.
      const isSwitching = begun?.layer_id === row.layer_id
      if (row.pool_id === poolId && !known && !isSwitching) return { done: true, part: 1 }
      if (known && known.poolId !== poolId) await end(volumeId)
      // Also of one that goes on: a file system that is gone would hold it up for ever.
      try {
        await requireUsable(poolId)
      } catch (error) {
        if (error instanceof UnusablePoolError) copies.get(volumeId)?.ending.abort()
        throw error
      }
      // Whatever became of the guest of a copy that was begun.
      if (begun?.machine_id != null || (row.machine_id !== null && !known)) {
        return running.move(volumeId, poolId, fence)
      }
      const transfer = copies.get(volumeId) ?? begin(volumeId, poolId, fence)
      const waiting = new AbortController()
      const outcome = await Promise.race([
        transfer.ended.then((failure) => ({ failure })),
        pause(WAIT_MS, undefined, { signal: waiting.signal }).catch(() => undefined),
      ])
      waiting.abort()
      if (!outcome) return { done: false, part: transfer.part }
      copies.delete(volumeId)
      if (outcome.failure) throw outcome.failure.error
      return transfer.isOurs ? { done: true, part: 1 } : { done: false }
    },

    async stay(
      volumeId: string,
      poolId: string | null,
      fence: number | undefined,
    ): Promise<boolean> {
      await end(volumeId)
      return alone(volumeId, async () => {
        await running.stop(volumeId)
        const unneeded = await database.transaction(async (tx) => {
          await admit(tx, volumeId, fence)
          return rows.forgetTransfer(tx, volumeId)
        })
        await files.remove(unneeded)
        return (await rows.volume(volumeId)).pool_id === poolId
      })
    },

    cancel: end,

    /** Ends the copies; the next start begins them anew. */
    async close(): Promise<void> {
      for (const { ending } of copies.values()) ending.abort()
      await Promise.all([...copies.values()].map(({ ended }) => ended))
      copies.clear()
    },
  }
}
