/** The extents written to volumes during an import, in rows, so that several servers may write. */
import { Extents, type OpenDatabase, type Tx } from '@steading/control-plane/engine'
import type { Extent } from '@steading/control-plane/ports'

/** An extent that is to be recorded. */
interface Addition extends Extent {
  done: () => void
  failed: (error: unknown) => void
}

export function createWritten({ db, concurrently }: OpenDatabase) {
  /** Volume → the extents that wait until its transaction in progress has ended. */
  const queues = new Map<string, Addition[]>()

  /** Writes an extent; one row for all those that it touches. */
  async function record(tx: Tx, volumeId: string, { offset, length }: Extent): Promise<void> {
    const touching = await tx
      .deleteFrom('libvirt_written')
      .where('volume_id', '=', volumeId)
      .where('start', '<=', offset + length)
      .where((eb) => eb(eb('start', '+', eb.ref('length')), '>=', offset))
      .returning(['start', 'length'])
      .execute()
    const all = [{ start: offset, length }, ...touching]
    const start = Math.min(...all.map((extent) => extent.start))
    const end = Math.max(...all.map((extent) => extent.start + extent.length))
    await tx
      .insertInto('libvirt_written')
      .values({ volume_id: volumeId, start, length: end - start })
      .execute()
  }

  /** Writes the waiting extents, and those that come meanwhile, in as few transactions as possible. */
  async function drain(volumeId: string, queue: Addition[]): Promise<void> {
    while (queue.length > 0) {
      const additions = queue.splice(0)
      const extents = new Extents()
      for (const { offset, length } of additions) extents.add(offset, length)
      try {
        await concurrently(async (tx) => {
          for (const extent of extents.list()) await record(tx, volumeId, extent)
        })
        for (const { done } of additions) done()
      } catch (error) {
        for (const { failed } of additions) failed(error)
      }
    }
    queues.delete(volumeId)
  }

  return {
    /**
     * Records an extent, durably. A transaction waits for the disk, so writes that run side by side
     * share one.
     */
    add(volumeId: string, offset: number, length: number): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const addition = { offset, length, done: resolve, failed: reject }
      const queue = queues.get(volumeId)
      if (queue) queue.push(addition)
      else {
        const begun = [addition]
        queues.set(volumeId, begun)
        void drain(volumeId, begun)
      }
      return promise
    },

    async list(volumeId: string): Promise<Extent[]> {
      const rows = await db
        .selectFrom('libvirt_written')
        .select(['start', 'length'])
        .where('volume_id', '=', volumeId)
        .execute()
      // Writes at several servers at once may leave extents that touch.
      const extents = new Extents()
      for (const { start, length } of rows) extents.add(start, length)
      return extents.list()
    },

    /** Forgets the extents of a volume; later writes are not recorded. */
    end: (volumeId: string): Promise<void> =>
      concurrently(async (tx) => {
        await tx
          .updateTable('libvirt_volume')
          .set({ sealed: 1 })
          .where('id', '=', volumeId)
          .execute()
        await tx.deleteFrom('libvirt_written').where('volume_id', '=', volumeId).execute()
      }),
  }
}
