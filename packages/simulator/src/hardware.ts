import { GiB, REPLICAS, switchSlots } from '@steading/api/rules'
import { type Selectable, sql } from 'kysely'
import { allInPages, type Db, type Tx } from '@steading/control-plane/engine'
import type {
  EngineContext,
  Hardware,
  HardwareSimulation,
  HostEnrolment,
  SeenDisk,
} from '@steading/control-plane/ports'
import { createSimulatedHosts } from './hosts.ts'
import type { SimulatedDiskTable } from './hardware-tables.ts'
import type { SimulatedOptions } from './options.ts'
import { firstFreeCubby, newDisks, newSled, type NewSled } from './new-sleds.ts'

/** Number of sleds in a new rack. */
const SLEDS = 4
/** Simulated failures of sleds and disks; power supplies, uplinks and loads are separate. */
type SimulatedParts = Omit<
  HardwareSimulation,
  'powerSupplies' | 'setPowerSupply' | 'uplinksDown' | 'setUplink' | 'setLoad' | 'load'
>

/** Whether a sled is on, and within reach. */
const answers = ({ down, cut }: { down: 0 | 1; cut: 0 | 1 }): boolean => down === 0 && cut === 0

/** Sleds of an older version, which had no simulated hardware. */
async function sledsOfBefore(tx: Tx): Promise<NewSled[]> {
  const rows = await tx.selectFrom('sled').selectAll().execute()
  return rows.map((row) => ({
    ...newSled(row.slot, false),
    serial: row.name,
    part: row.part,
    revision: row.revision,
    threads: row.usable_hardware_threads,
    ram: row.usable_physical_ram,
    sled_id: row.id,
  }))
}

/** Disks for volumes, then boot disks. */
const inOrder = (a: Selectable<SimulatedDiskTable>, b: Selectable<SimulatedDiskTable>): number =>
  a.form_factor === b.form_factor ? a.slot - b.slot : a.form_factor === 'u2' ? -1 : 1

const isThere = (db: Db) =>
  db.selectFrom('simulated_switch').select('serial').limit(1).executeTakeFirst()

/**
 * A simulated rack. Its contents are rows, so all servers see the same.
 * @param lost called with each machine that has failed together with its sled
 */
export function createSimulatedHardware(
  { database, clock }: Pick<EngineContext, 'database' | 'clock'>,
  options: SimulatedOptions,
  lost: (machineId: string) => Promise<void>,
): { hardware: Hardware; simulation: SimulatedParts; enrolment: HostEnrolment } {
  const { db } = database
  let changed = () => {}
  const { noteConnections, ...enrolment } = createSimulatedHosts({ database, clock }, options, () =>
    changed(),
  )

  /** Fills the rack on first access. */
  const install = async (): Promise<void> => {
    if (await isThere(db)) return
    await database.transaction(async (tx) => {
      if (await isThere(tx)) return
      const before = await sledsOfBefore(tx)
      const sleds =
        before.length > 0
          ? before
          : Array.from({ length: SLEDS }, (_, cubby) => newSled(cubby, cubby === SLEDS - 1))
      await tx.insertInto('simulated_sled').values(sleds).execute()
      const disks = sleds.flatMap(({ serial }) => newDisks(serial))
      await tx.insertInto('simulated_disk').values(disks).execute()
      const switches = switchSlots.map((slot, index) => ({
        serial: `BRM-SW-${String(index + 1).padStart(4, '0')}`,
        part: '913-0000006',
        revision: 4,
        slot,
      }))
      await tx.insertInto('simulated_switch').values(switches).execute()
    })
  }

  const hardware: Hardware = {
    subscribe: (callback) => void (changed = callback),

    // Boot time, and once more for every 64 GiB.
    replicas: REPLICAS,
    copyMs: (bytes) => options.bootMs * (1 + bytes / (64 * GiB)),

    async inventory() {
      await install()
      const sleds = await allInPages(db.selectFrom('simulated_sled').selectAll(), 'serial')
      sleds.sort((a, b) => a.cubby - b.cubby)
      const disks = await allInPages(db.selectFrom('simulated_disk').selectAll(), 'serial')
      const switches = await db.selectFrom('simulated_switch').selectAll().orderBy('slot').execute()
      const disksOf = Map.groupBy(disks, ({ sled_serial }) => sled_serial)
      noteConnections(sleds.map((sled) => ({ ...sled, responding: answers(sled) })))
      return {
        switches,
        sleds: sleds.map((sled) => ({
          part: sled.part,
          serial: sled.serial,
          revision: sled.revision,
          cubby: sled.cubby,
          usableThreads: sled.threads,
          usableRam: sled.ram,
          cpuPlatform: sled.cpu_platform,
          responding: answers(sled),
          id: sled.sled_id ?? undefined,
          disks: (disksOf.get(sled.serial) ?? [])
            .sort(inOrder)
            .map(({ vendor, model, serial, form_factor, slot, size, failed }): SeenDisk => ({
              vendor,
              model,
              serial,
              formFactor: form_factor,
              slot,
              size,
              healthy: failed === 0,
            })),
        })),
      }
    },

    async adopt({ part, serial }, id) {
      await db
        .updateTable('simulated_sled')
        .set({ sled_id: id })
        .where('part', '=', part)
        .where('serial', '=', serial)
        .where('sled_id', 'is', null)
        .where('down', '=', 0)
        .execute()
      changed()
    },

    async release({ part, serial }) {
      await db
        .updateTable('simulated_sled')
        .set({ sled_id: null })
        .where('part', '=', part)
        .where('serial', '=', serial)
        .execute()
      changed()
    },
  }

  /**
   * Changes a sled.
   * @param ended whether its machines are known to have ended; they fail in the same transaction
   * @returns whether it exists
   */
  async function setSled(
    serial: string,
    values: Partial<Record<'down' | 'cut', 0 | 1>>,
    ended: (sled: Record<'down' | 'cut', 0 | 1>) => boolean,
  ): Promise<boolean> {
    const found = await database.concurrently(async (tx) => {
      const sled = await tx
        .updateTable('simulated_sled')
        .set(values)
        .where('serial', '=', serial)
        .returning(['sled_id', 'down', 'cut'])
        .executeTakeFirst()
      if (!sled || sled.sled_id === null || !ended(sled)) return sled && []
      return tx
        .updateTable('simulated_machine')
        .set({ phase: 'failed', since: clock().getTime(), version: sql`version + 1` })
        .where('sled_id', '=', sled.sled_id)
        .where('phase', 'not in', ['stopped', 'failed'])
        .returning('id')
        .execute()
    })
    if (!found) return false
    changed()
    for (const { id } of found) await lost(id)
    return true
  }

  const simulation: SimulatedParts = {
    // Machines of a sled that is off were ended; of one that is cut off, nobody knows.
    setPower: (serial, on) => setSled(serial, { down: on ? 0 : 1 }, ({ cut }) => on || cut === 0),
    setLink: (serial, up) => setSled(serial, { cut: up ? 0 : 1 }, ({ down }) => up && down === 1),

    async setHealth(serial, healthy) {
      const disk = await db
        .updateTable('simulated_disk')
        .set({ failed: healthy ? 0 : 1 })
        .where('serial', '=', serial)
        .returning('serial')
        .executeTakeFirst()
      changed()
      return disk !== undefined
    },

    async recover(serial) {
      const sled = await database.transaction(async (tx) => {
        await tx.deleteFrom('simulated_component').where('serial', '=', serial).execute()
        return tx
          .updateTable('simulated_sled')
          .set({ recovered: 1 })
          .where('serial', '=', serial)
          .returning('serial')
          .executeTakeFirst()
      })
      changed()
      return sled !== undefined
    },

    async insertSled() {
      const sled = await database.transaction(async (tx) => {
        const cubby = await firstFreeCubby(tx)
        if (cubby === undefined) return undefined
        const inserted = newSled(cubby, false)
        await tx.insertInto('simulated_sled').values(inserted).execute()
        await tx.insertInto('simulated_disk').values(newDisks(inserted.serial)).execute()
        return { part: inserted.part, serial: inserted.serial }
      })
      changed()
      return sled
    },

    async replaceDisk(serial) {
      const disk = await database.transaction(async (tx) => {
        const old = await tx
          .deleteFrom('simulated_disk')
          .where('serial', '=', serial)
          .returningAll()
          .executeTakeFirst()
        if (!old) return undefined
        const [, base, generation] = /^(.*?)(?:-R(\d+))?$/.exec(serial)!
        const fresh = {
          ...old,
          serial: `${base}-R${Number(generation ?? 0) + 1}`,
          failed: 0 as const,
        }
        await tx.insertInto('simulated_disk').values(fresh).execute()
        return { vendor: fresh.vendor, model: fresh.model, serial: fresh.serial }
      })
      changed()
      return disk
    },
  }
  return { hardware, simulation, enrolment }
}
