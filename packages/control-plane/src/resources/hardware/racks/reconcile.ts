import type { Selectable } from 'kysely'
import type { Db, OpenDatabase } from '../../../kernel/db/database.ts'
import { allInPages } from '../../../kernel/db/pages.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Hardware, SeenRack, SeenSled } from '../../../kernel/ports/hardware.ts'
import type { Reconciliation, Step } from '../../../kernel/reconciler/reconciler.ts'
import { type Writing, writingIn } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import type { DiskAdoptionRequestTable } from '../physical-disks/kind.ts'
import { nextRepair, repairReplicas, replicasWait } from '../physical-disks/repair.ts'
import { setFencingAlarm } from '../host-fencing/change.ts'
import { setHostAlarms } from '../hosts/alarm.ts'
import { setPoolAlarms } from '../../storage/storage-pools/alarm.ts'
import { findMembership, type Member, membersOf, type Membership } from './membership.ts'
import { emitRackUpdate } from '../hardware/rack-alarm.ts'
import { newPhysicalDisk, newSled } from './set-up.ts'
import { seenRack, unusedDisks, type WaitingDisk } from '../hardware/unused-hardware.ts'

/** Interval for asking sleds that have not yet acknowledged their addition. */
const ACKNOWLEDGE_MS = 1_000

/** The dependencies of the reconciliation of racks. */
export interface RackParts {
  database: OpenDatabase
  hardware: Hardware
}

/** The rows that the hardware may contradict. */
interface Known {
  sleds: Row<'sled'>[]
  disks: Row<'physical_disk'>[]
  membership: Membership | undefined
  members: Member[]
  adopted: { request: Selectable<DiskAdoptionRequestTable>; disk: WaitingDisk }[]
  /** Ids of sleds that hold an instance or a replica, and of physical disks that hold replicas. */
  occupied: Set<string>
}

async function read(db: Db, rackId: string, seen: SeenRack): Promise<Known> {
  const sleds = await allInPages(
    db.selectFrom('sled').selectAll().where('rack_id', '=', rackId).where('state', '=', 'active'),
    'id',
  )
  const disks = await allInPages(
    db.selectFrom('physical_disk').selectAll().where('state', '=', 'active'),
    'id',
  )
  const newest = await findMembership(db, rackId)
  const membership = newest?.state === 'in_progress' ? newest : undefined
  const requests = await db.selectFrom('disk_adoption_request').selectAll().execute()
  const waiting = requests.length > 0 ? await unusedDisks(db, seen) : []
  const held = await db
    .selectFrom('instance')
    .select('sled_id')
    .distinct()
    .where('sled_id', 'is not', null)
    .execute()
  return {
    sleds,
    disks,
    membership,
    members: membership ? await membersOf(db, membership) : [],
    adopted: requests.flatMap((request) => {
      const disk = waiting.find(
        ({ vendor, model, serial }) =>
          request.vendor === vendor && request.model === model && request.serial === serial,
      )
      return disk ? [{ request, disk }] : []
    }),
    occupied: new Set([
      ...held.map(({ sled_id }) => sled_id!),
      ...disks
        .filter(({ used, reclaimable }) => used + reclaimable > 0)
        .flatMap(({ id, sled_id }) => [id, sled_id]),
    ]),
  }
}

/** A write that brings the rows in line with the hardware. */
type Change = (work: Writing) => Promise<void>

const flag = (value: boolean) => (value ? 1 : 0)

/** Sets whether a sled responds. Instances on a sled that went down are lost, hence due at once. */
const setSledResponding =
  (sled: Row<'sled'>, responding: boolean): Change =>
  async ({ db, now, emit }) => {
    await changeRow(db, 'sled', sled.id, {
      responding: flag(responding),
      time_modified: now.toISOString(),
    })
    if (responding) await setPoolAlarms(db, now, sled.name)
    else {
      await db
        .updateTable('instance')
        .set({ reconcile_at: now.toISOString() })
        .where('sled_id', '=', sled.id)
        .execute()
    }
    await setFencingAlarm(db, now, sled.name)
    await emit('sled', 'update', sled)
  }

/** Sets what the instances of a sled may use: its host, or its overcommitment, has changed. */
const setSledSize =
  (sled: Row<'sled'>, { usableThreads, usableRam }: SeenSled): Change =>
  async ({ db, now, emit }) => {
    await changeRow(db, 'sled', sled.id, {
      usable_hardware_threads: usableThreads,
      usable_physical_ram: usableRam,
      time_modified: now.toISOString(),
    })
    await emit('sled', 'update', sled)
  }

const setDiskHealth =
  (disk: Row<'physical_disk'>, healthy: boolean): Change =>
  async ({ db, now, emit }) => {
    await changeRow(db, 'physical_disk', disk.id, {
      healthy: flag(healthy),
      time_modified: now.toISOString(),
    })
    await emit('physical_disk', 'update', disk)
  }

/** The size of the file system that an engine uses as a disk changes. */
const setDiskSize =
  (disk: Row<'physical_disk'>, size: number): Change =>
  async ({ db, now, emit }) => {
    await changeRow(db, 'physical_disk', disk.id, { size, time_modified: now.toISOString() })
    await emit('physical_disk', 'update', disk)
  }

/** Decommissions an expunged sled or disk that no longer holds anything. */
const decommission =
  (kind: 'sled' | 'physical_disk', thing: { id: string; name: string }): Change =>
  async ({ db, now, emit }) => {
    await db
      .updateTable(kind)
      .set({ state: 'decommissioned', time_modified: now.toISOString() })
      .where('id', '=', thing.id)
      .execute()
    if (kind === 'sled') await setHostAlarms(db, now, thing.name)
    await emit(kind, 'update', thing)
  }

const adopt =
  ({ request, disk }: Known['adopted'][number]): Change =>
  async ({ db, now, emit }) => {
    const row = newPhysicalDisk(disk, disk.sledId, now.toISOString())
    await db.insertInto('physical_disk').values(row).execute()
    await db.deleteFrom('disk_adoption_request').where('id', '=', request.id).execute()
    await emit('physical_disk', 'create', row)
    await emit('disk_adoption_request', 'delete', { id: request.id, name: request.serial })
  }

const acknowledge =
  ({ rack_id, version, serial }: Member): Change =>
  async ({ db, emit }) => {
    await db
      .updateTable('rack_member')
      .set({ acknowledged: 1 })
      .where('rack_id', '=', rack_id)
      .where('version', '=', version)
      .where('serial', '=', serial)
      .execute()
    await emitRackUpdate({ emit }, rack_id)
  }

/** Puts the sleds that a membership change adds into service, with their disks. */
const commit =
  ({ rack_id, version }: Membership, added: Member[], seen: SeenRack): Change =>
  async ({ db, now, emit }) => {
    const time = now.toISOString()
    for (const { sled_id, serial } of added) {
      const hardware = seen.sleds.find((sled) => sled.serial === serial)!
      const sled = newSled(hardware, sled_id, rack_id, time)
      await db.insertInto('sled').values(sled).execute()
      const disks = hardware.disks.map((disk) => newPhysicalDisk(disk, sled_id, time))
      if (disks.length > 0) {
        await db
          .insertInto('physical_disk')
          .values(disks)
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      }
      await setHostAlarms(db, now, serial)
      await emit('sled', 'create', sled)
      for (const disk of disks) await emit('physical_disk', 'create', disk)
    }
    await db
      .updateTable('rack_membership')
      .set({ state: 'committed', time_committed: time })
      .where('rack_id', '=', rack_id)
      .where('version', '=', version)
      .execute()
    await emitRackUpdate({ emit }, rack_id)
  }

/**
 * The writes that bring the rows in line with the hardware.
 * @param down ids of the sleds known to be down before the inventory was read
 */
function differences(known: Known, seen: SeenRack, down: ReadonlySet<string>): Change[] {
  const { membership, members, occupied } = known
  const changes: Change[] = []
  const seenSleds = new Map(seen.sleds.map((sled) => [sled.serial, sled]))
  const seenDisks = new Map(
    seen.sleds.flatMap((sled) => sled.disks.map((disk) => [disk.serial, { sled, disk }] as const)),
  )
  for (const sled of known.sleds) {
    const seenSled = seenSleds.get(sled.name)
    const responding = seenSled?.responding ?? false
    if (flag(responding) !== sled.responding && (!responding || down.has(sled.id))) {
      changes.push(setSledResponding(sled, responding))
    }
    if (
      seenSled &&
      (seenSled.usableThreads !== sled.usable_hardware_threads ||
        seenSled.usableRam !== sled.usable_physical_ram)
    ) {
      changes.push(setSledSize(sled, seenSled))
    }
    if (sled.policy === 'expunged' && !occupied.has(sled.id)) {
      changes.push(decommission('sled', sled))
    }
  }
  for (const disk of known.disks) {
    const there = seenDisks.get(disk.name)?.disk
    if (there && there.size !== disk.size) changes.push(setDiskSize(disk, there.size))
    const healthy = there?.healthy ?? false
    if (flag(healthy) !== disk.healthy) changes.push(setDiskHealth(disk, healthy))
    if (disk.policy === 'expunged' && !occupied.has(disk.id)) {
      changes.push(decommission('physical_disk', disk))
    }
  }
  changes.push(...known.adopted.map(adopt))
  if (membership) {
    const isThere = ({ serial, sled_id }: Member) => seenSleds.get(serial)?.id === sled_id
    const waiting = members.filter(({ acknowledged }) => acknowledged === 0)
    changes.push(...waiting.filter(isThere).map(acknowledge))
    if (waiting.every(isThere)) {
      const present = new Set(known.sleds.map(({ id }) => id))
      const added = members.filter(({ sled_id }) => !present.has(sled_id))
      changes.push(commit(membership, added, seen))
    }
  }
  return changes
}

/**
 * Tells the engine which sleds to add, and which to remove.
 * @returns whether there were any
 */
async function applyMembership(
  { hardware }: RackParts,
  { sleds, members }: Known,
  seen: SeenRack,
): Promise<boolean> {
  let reported = false
  const bySerial = new Map(seen.sleds.map((sled) => [sled.serial, sled]))
  for (const { part, serial, sled_id } of members) {
    const there = bySerial.get(serial)
    if (!there?.responding || there.id !== undefined) continue
    await hardware.adopt({ part, serial }, sled_id)
    reported = true
  }
  const wanted = new Set([...sleds.map(({ id }) => id), ...members.map(({ sled_id }) => sled_id)])
  for (const sled of seen.sleds) {
    if (sled.id === undefined || wanted.has(sled.id)) continue
    await hardware.release(sled)
    reported = true
  }
  return reported
}

/** Stores the inventory, for the handlers. */
const storeInventory =
  (rackId: string, seen: string): Change =>
  async ({ db, now, emit }) => {
    await changeRow(db, 'rack', rackId, { seen })
    await setHostAlarms(db, now)
    await emitRackUpdate({ emit }, rackId)
  }

async function reconcileRack(
  step: Step<'rack'>,
  parts: RackParts,
  { id, seen: seenBefore }: Row<'rack'>,
): Promise<void> {
  const { database, hardware } = parts
  const { now } = step
  // Read before the inventory: a sled that an instance has found to be down since then must not
  // count as one that came back.
  const down = await sledsDown(database.db)
  let seen = await hardware.inventory()
  const before = await read(database.db, id, seen)
  let present = before
  if (await applyMembership(parts, before, seen)) {
    seen = await hardware.inventory()
    present = await read(database.db, id, seen)
  }
  // The text of a large rack takes a turn of its own.
  await yieldToEventLoop()
  const json = seenRack.write(seen)
  await yieldToEventLoop()
  const isQuiet =
    json === seenBefore &&
    differences(present, seen, down).length === 0 &&
    !(await replicasWait(database.db, now))
  if (isQuiet) return step.end(database.db, await nextLook(database.db, before, now))
  await database.transaction(async (tx) => {
    const known = await read(tx, id, seen)
    const writing = writingIn(tx, now)
    const changes = differences(known, seen, down)
    if (json !== seenBefore) changes.push(storeInventory(id, json))
    for (const change of changes) await change(writing)
    const { changed, more } = await repairReplicas(writing, hardware.copyMs)
    for (const disk of known.disks) {
      if (changed.has(disk.id)) await writing.emit('physical_disk', 'update', disk)
    }
    // The writes may lead to more, such as decommissioning a sled that holds nothing now.
    const again = more || changes.length > 0 || changed.size > 0
    await step.end(tx, again ? now : await nextLook(tx, known, now))
  })
  // Deleted disks may have made room for replicas, and hosts follow their sleds.
  step.wake('disk')
  step.wake('host')
  step.wake('host_fencing')
  step.wake('storage_pool')
}

async function sledsDown(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom('sled').select('id').where('responding', '=', 0).execute()
  return new Set(rows.map(({ id }) => id))
}

/** When the rack is due again without a wake-up. */
async function nextLook(db: Db, { membership }: Known, now: Date): Promise<Date | null> {
  const times = [
    await nextRepair(db),
    membership && new Date(now.getTime() + ACKNOWLEDGE_MS),
  ].filter((time) => time !== undefined)
  return times.length > 0 ? new Date(Math.min(...times.map(Number))) : null
}

/** Compares racks with the hardware: new, failed and removed parts. */
export const rackReconciliation = (parts: RackParts): Reconciliation<'rack'> => ({
  table: 'rack',
  reconcile: (step, row) => reconcileRack(step, parts, row),
  async resync() {
    await parts.database.db
      .updateTable('rack')
      .set({ reconcile_at: new Date(0).toISOString() })
      .where('reconcile_at', 'is', null)
      .where('lease_until', 'is', null)
      .execute()
  },
})
