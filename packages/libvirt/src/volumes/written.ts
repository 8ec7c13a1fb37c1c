/** The extents written to volumes during an import, in rows, so that several servers may write. */
import { Extents, type OpenDatabase } from '@steading/control-plane/engine'
import type { Extent } from '@steading/control-plane/ports'

export function createWritten({ db, concurrently }: OpenDatabase) {
  return {
    /** Records an extent; one row for all those that it touches. */
    add: (volumeId: string, offset: number, length: number): Promise<void> =>
      concurrently(async (tx) => {
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
      }),

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
