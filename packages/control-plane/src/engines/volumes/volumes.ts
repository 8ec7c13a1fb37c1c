import { scrubMessages } from '@steading/api/rules'
import { endDamage, noteDamage } from '../../kernel/damage.ts'
import { fail } from '../../kernel/errors.ts'
import { admit } from '../../kernel/db/fences.ts'
import { type BlockStore, BusyBytes, DamagedBytes } from '../../kernel/ports/block-store.ts'
import type { EngineContext } from '../../kernel/ports/engines.ts'
import type { Volumes } from '../../kernel/ports/volumes.ts'
import { changeRow, findRow } from '../../kernel/db/rows.ts'
import './table.ts'

/** Volumes in the cache; when there are more, it is cleared. */
const MAX_KNOWN = 10_000

interface Machines {
  /** Whether a machine may be writing to its volumes. */
  runs: (machineId: string) => Promise<boolean>
}

interface Known {
  size: number
  /** Whether the volume has ever had bytes. */
  hasBytes: boolean
}

/**
 * Volumes and snapshots over a block store, for every engine of machines. Rows list them, and the
 * store has their bytes. A row is written before the bytes and removed after them, so a crash never
 * leaves bytes without a row, and removing orphaned rows also removes their bytes. Several servers
 * may share both.
 */
export function createBlockVolumes(
  { database, log, clock }: Pick<EngineContext, 'database' | 'log' | 'clock'>,
  store: BlockStore,
  machines: Machines,
): Volumes {
  const { db } = database
  /** Volumes with bytes, unless they have grown or been rolled back meanwhile. */
  const cache = new Map<string, Known>()

  const known = async (id: string): Promise<Known> => {
    const cached = cache.get(id)
    if (cached) return cached
    const row = await findRow(db, 'volume', id, 'size', 'has_bytes')
    if (!row) throw new Error(`there is no volume ${id}`)
    const volume = { size: row.size, hasBytes: row.has_bytes === 1 }
    if (!volume.hasBytes) return volume
    if (!(await store.has(id))) throw new Error(`the bytes of volume ${id} are lost`)
    if (cache.size >= MAX_KNOWN) cache.clear()
    cache.set(id, volume)
    return volume
  }
  const inside = async (id: string, offset: number, length: number): Promise<Known> => {
    let volume = await known(id)
    if (offset + length > volume.size) {
      // Another server may have enlarged it.
      cache.delete(id)
      volume = await known(id)
    }
    if (offset < 0 || offset + length > volume.size) {
      throw new Error(`volume ${id} has no bytes ${offset} to ${offset + length}`)
    }
    return volume
  }
  /** The refusal of bytes that are busy or damaged; damage is recorded. */
  const noting = (id: string) => async (error: unknown) => {
    if (error instanceof BusyBytes) throw fail.unavailable(scrubMessages.busy)
    if (!(error instanceof DamagedBytes)) throw error
    await noteDamage({ db, log, now: clock() }, 'volume', id, null)
    throw fail.unavailable(scrubMessages.damaged)
  }
  const markStored = (id: string) =>
    db.updateTable('volume').set({ has_bytes: 1 }).where('id', '=', id).execute()
  const create = async (id: string, size: number, snapshot: boolean, source?: string) => {
    if (source !== undefined) await known(source)
    await db
      .insertInto('volume')
      .values({
        id,
        size,
        is_snapshot: snapshot ? 1 : 0,
        has_bytes: 0,
        machine_id: null,
        consistency: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    if (source !== undefined && (await store.copy(source, id))) await markStored(id)
  }
  const remove = async (id: string) => {
    cache.delete(id)
    await store.remove(id)
    await db.deleteFrom('volume').where('id', '=', id).execute()
    await endDamage(db, 'volume', { thing: id })
    cache.delete(id)
  }
  const rowOf = (volumeId: string) => findRow(db, 'volume', volumeId, 'machine_id', 'consistency')
  /** Machines over a block store have no guest agent. */
  const consistencyOf = async (volumeId: string) => {
    const row = await rowOf(volumeId)
    const runs = typeof row?.machine_id === 'string' && (await machines.runs(row.machine_id))
    return runs ? ('crash_consistent' as const) : ('offline' as const)
  }
  const ids = async (snapshot: boolean) => {
    const rows = await db
      .selectFrom('volume')
      .select('id')
      .where('is_snapshot', '=', snapshot ? 1 : 0)
      .execute()
    return rows.map(({ id }) => id)
  }

  return {
    async start() {
      await store.open()
      const stored = new Set(await store.list())
      const rows = await db.selectFrom('volume').select('id').where('has_bytes', '=', 1).execute()
      const lost = rows.filter(({ id }) => !stored.has(id))
      if (lost.length > 0) {
        log(`the bytes of ${lost.length} disks or snapshots are gone from the data directory`)
      }
    },
    close: () => store.close(),

    async create(id, { size, source }, fence) {
      await admit(database, id, fence)
      await create(id, size, false, source)
    },
    async delete(id, fence) {
      await admit(database, id, fence)
      await remove(id)
    },
    async grow(id, size, fence) {
      await admit(database, id, fence)
      await known(id)
      await db
        .updateTable('volume')
        .set({ size })
        .where('id', '=', id)
        .where('size', '<', size)
        .execute()
      cache.delete(id)
    },
    async rollBack(id, snapshotId, fence) {
      await admit(database, id, fence)
      await known(snapshotId)
      // Without bytes from here on, so that an interruption does not look like their loss.
      await changeRow(db, 'volume', id, { has_bytes: 0 })
      cache.delete(id)
      await store.remove(id)
      await endDamage(db, 'volume', { thing: id })
      if (await store.copy(snapshotId, id)) await markStored(id)
      cache.delete(id)
    },
    list: () => ids(false),
    async createSnapshot(id, source, fence) {
      await admit(database, id, fence)
      const begun = await rowOf(id)
      if (begun && begun.consistency !== null) return { consistency: begun.consistency }
      const { size } = await known(source)
      // Nobody knows what ran during an attempt that was interrupted.
      const before = begun ? 'crash_consistent' : await consistencyOf(source)
      await create(id, size, true, source)
      // Looked at again, because the machine may have been started meanwhile.
      const consistency = before === 'offline' ? await consistencyOf(source) : before
      await changeRow(db, 'volume', id, { consistency })
      return { consistency }
    },
    async deleteSnapshot(id, fence) {
      await admit(database, id, fence)
      await remove(id)
    },
    listSnapshots: () => ids(true),
    // Machines over a block store read and write it by the volume's id, so nothing has to be opened.
    async attach(id, machineId, fence) {
      await admit(database, machineId, fence)
      await known(id)
      await changeRow(db, 'volume', id, { machine_id: machineId })
      return { path: id, format: 'raw' }
    },
    async detach(id, machineId, fence) {
      await admit(database, machineId, fence)
      await db
        .updateTable('volume')
        .set({ machine_id: null })
        .where('id', '=', id)
        .where('machine_id', '=', machineId)
        .execute()
    },

    async write(id, offset, data) {
      const { hasBytes } = await inside(id, offset, data.length)
      await store.write(id, offset, data).catch(noting(id))
      if (!hasBytes) await markStored(id)
    },
    room: async () => (await store.room?.()) ?? Infinity,
    async read(id, offset, length) {
      const { hasBytes } = await inside(id, offset, length)
      const data = await store.read(id, offset, length).catch(noting(id))
      // Another server may have deleted the volume meanwhile; its missing files would read as
      // zeros.
      if (hasBytes && !(await store.has(id))) {
        cache.delete(id)
        await known(id)
      }
      return data
    },
    async written(id) {
      await known(id)
      return store.written(id).catch(noting(id))
    },
    seal: (id) => store.seal(id).catch(noting(id)),
    async withBytes(after, limit) {
      const found = await db
        .selectFrom('volume')
        .select('id')
        .where('has_bytes', '=', 1)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
      return found.map(({ id }) => id)
    },
    check: (id, throttle) => store.check(id, throttle),
  }
}
