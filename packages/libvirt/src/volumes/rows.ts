/** The rows of volumes, snapshots and layers. Rows come before files, and go before them. */
import { type Selectable, sql, type Updateable } from 'kysely'
import type { Firmware, SnapshotConsistencyName } from '@steading/api/rules'
import type { Db, OpenDatabase, Tx } from '@steading/control-plane/engine'
import type { LibvirtLayerTable, LibvirtTransferTable, LibvirtVolumeTable } from '../tables.ts'

export type VolumeRow = Selectable<LibvirtVolumeTable>
export type LayerRow = Selectable<LibvirtLayerTable>

const SECTOR = 512
/** The size of the layer of a volume, which QEMU wants in whole sectors. */
export const wholeSectors = (size: number): number => Math.ceil(size / SECTOR) * SECTOR

export type Rows = ReturnType<typeof createRows>

/** The copy of a volume to another storage pool, with that pool. */
export type TransferRow = Selectable<LibvirtTransferTable> & Pick<LayerRow, 'pool_id'>

/** There is no such volume or snapshot. */
export class NoVolumeError extends Error {
  constructor(id: string) {
    super(`there is no volume ${id}`)
  }
}

export function createRows({ db, transaction }: OpenDatabase) {
  const find = (id: string, on: Db = db): Promise<VolumeRow | undefined> =>
    on.selectFrom('libvirt_volume').selectAll().where('id', '=', id).executeTakeFirst()
  /** @throws NoVolumeError */
  const volume = async (id: string, on: Db = db): Promise<VolumeRow> => {
    const row = await find(id, on)
    if (!row) throw new NoVolumeError(id)
    return row
  }
  const layer = (id: string, on: Db = db): Promise<LayerRow> =>
    on.selectFrom('libvirt_layer').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  /** Adds a layer, whose file is yet to be made. */
  async function addLayer(
    tx: Tx,
    size: number,
    parent: string | null,
    pool: string | null,
  ): Promise<string> {
    const id = crypto.randomUUID()
    await tx
      .insertInto('libvirt_layer')
      .values({ id, parent_id: parent, size: wholeSectors(size), made: 0, pool_id: pool })
      .execute()
    return id
  }

  async function addNextLayer(
    tx: Tx,
    { id, layer_id: layerId, size, pool_id: pool }: VolumeRow,
  ): Promise<void> {
    const next = await addLayer(tx, size, layerId, pool)
    await tx
      .updateTable('libvirt_volume')
      .set({ next_layer_id: next })
      .where('id', '=', id)
      .execute()
  }

  /**
   * Removes a layer, and those below it, that nothing needs.
   * @returns the removed layers, whose files can go
   */
  async function removeUnneeded(tx: Tx, from: string | null): Promise<string[]> {
    const removed: string[] = []
    for (let id = from; id !== null;) {
      const current: string = id
      const child = await tx
        .selectFrom('libvirt_layer')
        .select('id')
        .where('parent_id', '=', current)
        .executeTakeFirst()
      const user = await tx
        .selectFrom('libvirt_volume')
        .select('id')
        .where((eb) => eb.or([eb('layer_id', '=', current), eb('next_layer_id', '=', current)]))
        .executeTakeFirst()
      if (child || user) break
      const row = await tx
        .deleteFrom('libvirt_layer')
        .where('id', '=', current)
        .returning('parent_id')
        .executeTakeFirst()
      if (!row) break
      removed.push(current)
      id = row.parent_id
    }
    return removed
  }

  /** Moves a volume to its next layer, which completes the snapshot of the one before. */
  async function advance(
    tx: Tx,
    row: VolumeRow,
    consistency: SnapshotConsistencyName,
  ): Promise<void> {
    if (row.next_layer_id === null) return
    await tx
      .updateTable('libvirt_volume')
      .set({ layer_id: row.next_layer_id, next_layer_id: null })
      .where('id', '=', row.id)
      .execute()
    await tx
      .updateTable('libvirt_volume')
      .set({ consistency })
      .where('layer_id', '=', row.layer_id)
      .where('is_snapshot', '=', 1)
      .where('consistency', 'is', null)
      .execute()
  }

  const copyVariables = (tx: Tx, from: string, to: string) =>
    tx
      .insertInto('libvirt_firmware_variables')
      .columns(['volume_id', 'data'])
      .expression((eb) =>
        eb
          .selectFrom('libvirt_firmware_variables')
          .select([eb.val(to).as('volume_id'), 'data'])
          .where('volume_id', '=', from),
      )
      .execute()

  /** Ends a conversion. @returns its layer; undefined if there was none */
  const forgetConversion = async (tx: Tx, volumeId: string): Promise<string | undefined> => {
    const row = await tx
      .deleteFrom('libvirt_conversion')
      .where('volume_id', '=', volumeId)
      .returning('layer_id')
      .executeTakeFirst()
    return row?.layer_id
  }

  const transferOf = (volumeId: string, on: Db = db): Promise<TransferRow | undefined> =>
    on
      .selectFrom('libvirt_transfer')
      .innerJoin('libvirt_layer', 'libvirt_layer.id', 'libvirt_transfer.layer_id')
      .selectAll('libvirt_transfer')
      .select('libvirt_layer.pool_id')
      .where('volume_id', '=', volumeId)
      .executeTakeFirst()

  /** Ends the copy of a volume to another storage pool. @returns the layers whose files can go */
  const forgetTransfer = async (tx: Tx, volumeId: string): Promise<string[]> => {
    const row = await tx
      .deleteFrom('libvirt_transfer')
      .where('volume_id', '=', volumeId)
      .returning('layer_id')
      .executeTakeFirst()
    return removeUnneeded(tx, row?.layer_id ?? null)
  }

  /**
   * Gives a volume a layer for its copy in another storage pool: a new one, or that of an attempt
   * before a crash.
   * @returns the layer, and those whose files can go
   */
  async function beginTransfer(
    tx: Tx,
    volumeId: string,
    pool: string | null,
  ): Promise<{ layerId: string; unneeded: string[] }> {
    const begun = await transferOf(volumeId, tx)
    if (begun?.pool_id === pool) return { layerId: begun.layer_id, unneeded: [] }
    const unneeded = await forgetTransfer(tx, volumeId)
    const { size } = await volume(volumeId, tx)
    const layerId = await addLayer(tx, size, null, pool)
    await tx
      .insertInto('libvirt_transfer')
      .values({ volume_id: volumeId, layer_id: layerId, machine_id: null })
      .execute()
    return { layerId, unneeded }
  }

  /**
   * Puts the copy of a volume in the place of its layers.
   * @returns the layers whose files can go
   * @throws if another copy, or none, is in its transfer by now
   */
  const takeCopy = async (tx: Tx, volumeId: string, copy: string): Promise<string[]> => {
    const transfer = await transferOf(volumeId, tx)
    if (transfer?.layer_id !== copy)
      throw new Error(`volume ${volumeId} changed while it was copied`)
    const { layer_id: before } = await volume(volumeId, tx)
    await tx.updateTable('libvirt_layer').set({ made: 1 }).where('id', '=', copy).execute()
    await tx
      .updateTable('libvirt_volume')
      .set({ layer_id: copy, pool_id: transfer.pool_id })
      .where('id', '=', volumeId)
      .execute()
    return removeUnneeded(tx, before)
  }

  return {
    transferOf,
    /** The storage pools of volumes; null is the first one. */
    async poolsOf(volumeIds: readonly string[]): Promise<(string | null)[]> {
      const found = await db
        .selectFrom('libvirt_volume')
        .select('pool_id')
        .distinct()
        .where('id', 'in', [...volumeIds])
        .execute()
      return found.map(({ pool_id }) => pool_id)
    },
    /** Whether a guest is paused for going on with the copy of one of these volumes. */
    async isSwitching(volumeIds: readonly string[]): Promise<boolean> {
      const found = await db
        .selectFrom('libvirt_transfer')
        .select('volume_id')
        .where('volume_id', 'in', [...volumeIds])
        .where('switching', '=', 1)
        .executeTakeFirst()
      return found !== undefined
    },
    beginTransfer,
    async changeTransfer(
      volumeId: string,
      values: Updateable<LibvirtTransferTable>,
      on: Db = db,
    ): Promise<void> {
      await on
        .updateTable('libvirt_transfer')
        .set(values)
        .where('volume_id', '=', volumeId)
        .execute()
    },
    forgetTransfer,
    takeCopy,
    find,
    volume,
    layer,
    addLayer,

    async ids(isSnapshot: boolean): Promise<string[]> {
      const rows = await db
        .selectFrom('libvirt_volume')
        .select('id')
        .where('is_snapshot', '=', isSnapshot ? 1 : 0)
        .execute()
      return rows.map(({ id }) => id)
    },

    /**
     * Adds a volume, unless it exists.
     * @param source a snapshot
     * @param chosen the storage pool of a volume without a source
     * @throws NoVolumeError if the source does not exist
     */
    create: (id: string, size: number, source: string | undefined, chosen: string | null = null) =>
      transaction(async (tx) => {
        const existing = await find(id, tx)
        if (existing) return existing.layer_id
        const below = source === undefined ? null : await volume(source, tx)
        if (below && below.consistency === null) throw new Error(`${source} is no snapshot yet`)
        const pool = below ? below.pool_id : chosen
        const layerId = await addLayer(tx, size, below?.layer_id ?? null, pool)
        await tx
          .insertInto('libvirt_volume')
          .values({
            id,
            layer_id: layerId,
            size,
            is_snapshot: 0,
            sealed: 0,
            machine_id: null,
            next_layer_id: null,
            consistency: null,
            firmware: below?.firmware ?? null,
            pool_id: pool,
          })
          .execute()
        if (below) await copyVariables(tx, below.id, id)
        return layerId
      }),

    /**
     * Gives a volume the layer with which it continues, unless it has one. Its file has to be made.
     * @returns whether it had none
     * @throws NoVolumeError
     */
    beginLayer: (volumeId: string): Promise<boolean> =>
      transaction(async (tx) => {
        const row = await volume(volumeId, tx)
        if (row.next_layer_id !== null) return false
        await addNextLayer(tx, row)
        return true
      }),

    /**
     * Begins a snapshot of a volume, unless it exists: adds the layer with which the volume
     * continues. Its file has to be made, and a guest to write to it, before `finishSnapshot`.
     * @throws NoVolumeError
     */
    beginSnapshot: (snapshotId: string, volumeId: string) =>
      transaction(async (tx) => {
        if (await find(snapshotId, tx)) return
        const row = await volume(volumeId, tx)
        const { layer_id: layerId, size, next_layer_id: next, firmware, pool_id } = row
        if (next !== null) throw new Error(`another snapshot of ${volumeId} is being taken`)
        await addNextLayer(tx, row)
        await tx
          .insertInto('libvirt_volume')
          .values({
            id: snapshotId,
            layer_id: layerId,
            size,
            is_snapshot: 1,
            sealed: 1,
            machine_id: null,
            next_layer_id: null,
            consistency: null,
            firmware,
            pool_id,
          })
          .execute()
        await copyVariables(tx, volumeId, snapshotId)
      }),

    /** Moves a volume to its next layer, if that is still the one given. */
    finishLayer: (volumeId: string, next: string) =>
      transaction(async (tx) => {
        const row = await find(volumeId, tx)
        if (row?.next_layer_id === next) await advance(tx, row, 'crash_consistent')
      }),

    finishSnapshot: (volumeId: string, consistency: SnapshotConsistencyName) =>
      transaction(async (tx) => {
        const row = await find(volumeId, tx)
        if (row) await advance(tx, row, consistency)
      }),

    /** Records that a volume and its topmost layer have become larger. */
    grow: (id: string, layerId: string, size: number) =>
      transaction(async (tx) => {
        await tx
          .updateTable('libvirt_layer')
          .set({ size: wholeSectors(size) })
          .where('id', '=', layerId)
          .execute()
        await tx.updateTable('libvirt_volume').set({ size }).where('id', '=', id).execute()
      }),

    /**
     * Gives a volume a new layer on top of that of a snapshot, and the firmware of the snapshot.
     * @returns the new layer, whose file has to be made, and those whose files can go
     * @throws NoVolumeError
     */
    rollBack: (id: string, snapshotId: string): Promise<{ layerId: string; unneeded: string[] }> =>
      transaction(async (tx) => {
        const row = await volume(id, tx)
        const snapshot = await volume(snapshotId, tx)
        if (snapshot.consistency === null) throw new Error(`${snapshotId} is no snapshot yet`)
        const layerId = await addLayer(tx, row.size, snapshot.layer_id, snapshot.pool_id)
        await tx
          .updateTable('libvirt_volume')
          .set({ layer_id: layerId, firmware: snapshot.firmware, pool_id: snapshot.pool_id })
          .where('id', '=', id)
          .execute()
        await tx.deleteFrom('libvirt_firmware_variables').where('volume_id', '=', id).execute()
        await copyVariables(tx, snapshotId, id)
        return { layerId, unneeded: await removeUnneeded(tx, row.layer_id) }
      }),

    /** Deletes a volume or a snapshot. @returns the layers whose files can go */
    remove: (id: string): Promise<string[]> =>
      transaction(async (tx) => {
        const row = await find(id, tx)
        if (!row) return []
        await advance(tx, row, 'crash_consistent')
        await tx.deleteFrom('libvirt_written').where('volume_id', '=', id).execute()
        await tx.deleteFrom('libvirt_firmware_variables').where('volume_id', '=', id).execute()
        const converted = await forgetConversion(tx, id)
        const copied = await forgetTransfer(tx, id)
        await tx.deleteFrom('libvirt_volume').where('id', '=', id).execute()
        const removed = await removeUnneeded(tx, row.next_layer_id ?? row.layer_id)
        return [...removed, ...(await removeUnneeded(tx, converted ?? null)), ...copied]
      }),

    /**
     * Ends the conversion of a volume.
     * @param isTaken whether the new layer takes the place of the image; it is removed otherwise
     * @returns the layers whose files can go
     */
    endConversion: (volumeId: string, isTaken: boolean): Promise<string[]> =>
      transaction(async (tx) => {
        const converted = await forgetConversion(tx, volumeId)
        if (converted === undefined) return []
        if (!isTaken) return removeUnneeded(tx, converted)
        const { layer_id: image } = await volume(volumeId, tx)
        await tx.updateTable('libvirt_layer').set({ made: 1 }).where('id', '=', converted).execute()
        await tx
          .updateTable('libvirt_volume')
          .set({ layer_id: converted, sealed: 1 })
          .where('id', '=', volumeId)
          .execute()
        await tx.deleteFrom('libvirt_written').where('volume_id', '=', volumeId).execute()
        return removeUnneeded(tx, image)
      }),

    /**
     * Records that a layer has all of its bytes itself.
     * @returns whether it still exists, and the layers whose files can go
     */
    flattened: (id: string): Promise<{ exists: boolean; unneeded: string[] }> =>
      transaction(async (tx) => {
        const row = await tx
          .selectFrom('libvirt_layer')
          .select('parent_id')
          .where('id', '=', id)
          .executeTakeFirst()
        if (!row) return { exists: false, unneeded: [] }
        await tx
          .updateTable('libvirt_layer')
          .set({ parent_id: null })
          .where('id', '=', id)
          .execute()
        return { exists: true, unneeded: await removeUnneeded(tx, row.parent_id) }
      }),

    async made(layerId: string): Promise<void> {
      await db
        .updateTable('libvirt_layer')
        .set({ made: 1 })
        .where('id', '=', layerId)
        .where('made', '=', 0)
        .execute()
    },

    async setFirmware(id: string, firmware: Firmware): Promise<void> {
      await db.updateTable('libvirt_volume').set({ firmware }).where('id', '=', id).execute()
    },

    async nvram(id: string): Promise<string | undefined> {
      const found = await db
        .selectFrom('libvirt_firmware_variables')
        .select('data')
        .where('volume_id', '=', id)
        .executeTakeFirst()
      return found?.data
    },

    /** Replaces the variables of a volume, unless it is gone. */
    setVariables: (id: string, data: string) =>
      transaction(async (tx) => {
        if (!(await find(id, tx))) return
        await tx
          .insertInto('libvirt_firmware_variables')
          .values({ volume_id: id, data })
          .onConflict((conflict) => conflict.column('volume_id').doUpdateSet({ data }))
          .execute()
      }),

    /** Ids of volumes and snapshots after one, in order. */
    async idsAfter(after: string, limit: number): Promise<string[]> {
      const found = await db
        .selectFrom('libvirt_volume')
        .select('id')
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
      return found.map(({ id }) => id)
    },

    volumes: (): Promise<VolumeRow[]> =>
      db.selectFrom('libvirt_volume').selectAll().where('is_snapshot', '=', 0).execute(),

    layers: (): Promise<LayerRow[]> => db.selectFrom('libvirt_layer').selectAll().execute(),

    /** A layer and those below it, from top to bottom. */
    async chain(layerId: string): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        with recursive chain (id, parent_id, depth) as (
          select id, parent_id, 1 from libvirt_layer where id = ${layerId}
          union all
          select below.id, below.parent_id, chain.depth + 1
          from libvirt_layer as below join chain on below.id = chain.parent_id
        )
        select id from chain order by depth`.execute(db)
      return rows.map(({ id }) => id)
    },

    /**
     * Records that a machine may have a volume open. A copy that was begun before is forgotten: the
     * machine writes to the volume.
     * @returns the layer, and those whose files can go
     * @throws NoVolumeError
     */
    attach: (volumeId: string, machineId: string) =>
      transaction(async (tx) => {
        const row = await volume(volumeId, tx)
        const isNew = row.machine_id !== machineId
        const unneeded = isNew ? await forgetTransfer(tx, volumeId) : []
        await tx
          .updateTable('libvirt_volume')
          .set({ machine_id: machineId })
          .where('id', '=', volumeId)
          .execute()
        return { layerId: row.layer_id, unneeded }
      }),

    detach: (volumeId: string, machineId: string) =>
      transaction(async (tx) => {
        await tx
          .updateTable('libvirt_volume')
          .set({ machine_id: null })
          .where('id', '=', volumeId)
          .where('machine_id', '=', machineId)
          .execute()
      }),
  }
}
