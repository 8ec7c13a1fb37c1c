import { FLEET_ID, type PhysicalDiskKind } from '@steading/api/rules'
import type { OpenDatabase, Tx } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Hardware, SeenDisk, SeenSled } from '../../../kernel/ports/hardware.ts'
import { placeAllReplicas } from '../physical-disks/replicas.ts'
import { beginMembership } from './membership.ts'
import { named } from '../../../kernel/search/name-key.ts'
import { seenRack } from '../hardware/unused-hardware.ts'

/** The row of a sled that is put into service. */
export const newSled = (seen: SeenSled, id: string, rackId: string, time: string): Row<'sled'> => ({
  id,
  fleet_id: FLEET_ID,
  rack_id: rackId,
  ...named(seen.serial),
  part: seen.part,
  revision: seen.revision,
  slot: seen.cubby,
  cpu_platform: seen.cpuPlatform,
  usable_hardware_threads: seen.usableThreads,
  usable_physical_ram: seen.usableRam,
  policy: 'in_service',
  provision_policy: 'provisionable',
  state: 'active',
  responding: seen.responding ? 1 : 0,
  fenced: 0,
  updating: 0,
  used_threads: 0,
  used_ram: 0,
  time_created: time,
  time_modified: time,
})

/** The row of a disk that is put into service. */
export const newPhysicalDisk = (
  seen: SeenDisk,
  sledId: string,
  time: string,
): Row<'physical_disk'> => ({
  id: crypto.randomUUID(),
  fleet_id: FLEET_ID,
  sled_id: sledId,
  ...named(seen.serial),
  vendor: seen.vendor,
  model: seen.model,
  form_factor: seen.formFactor satisfies PhysicalDiskKind,
  slot: seen.slot,
  size: seen.size,
  used: 0,
  reclaimable: 0,
  policy: 'in_service',
  state: 'active',
  healthy: seen.healthy ? 1 : 0,
  time_created: time,
  time_modified: time,
})

const isSetUp = (db: Tx | OpenDatabase['db']) =>
  db.selectFrom('rack_membership').select('version').limit(1).executeTakeFirst()

/**
 * Puts all hardware into service that is present when the control plane first sees the rack. Later
 * additions wait for an operator. Sleds known to an older version keep their ids.
 */
export async function setUpRack(
  { db, transaction }: OpenDatabase,
  hardware: Hardware,
  now: Date,
): Promise<void> {
  if (await isSetUp(db)) return
  const { sleds, switches } = await hardware.inventory()
  const time = now.toISOString()
  const times = { time_created: time, time_modified: time }
  const added = await transaction(async (tx) => {
    // Another server may have set it up meanwhile.
    if (await isSetUp(tx)) return []
    const seen = seenRack.write({ sleds, switches })
    let rack = await tx.updateTable('rack').set({ seen }).returning('id').executeTakeFirst()
    if (!rack) {
      rack = { id: crypto.randomUUID() }
      await tx
        .insertInto('rack')
        .values({ ...rack, fleet_id: FLEET_ID, seen, ...times })
        .execute()
    }
    const known = await tx.selectFrom('sled').select(['id', 'name']).execute()
    const idOf = new Map(known.map(({ id, name }) => [name, id]))
    const unknown = sleds.filter(({ serial }) => !idOf.has(serial))
    for (const { serial } of unknown) idOf.set(serial, crypto.randomUUID())
    if (unknown.length > 0) {
      await tx
        .insertInto('sled')
        .values(unknown.map((seen) => newSled(seen, idOf.get(seen.serial)!, rack.id, time)))
        .execute()
    }
    const stored = await tx.selectFrom('physical_disk').select('name').execute()
    const names = new Set(stored.map(({ name }) => name))
    const disks = sleds.flatMap((seen) =>
      seen.disks
        .filter(({ serial }) => !names.has(serial))
        .map((disk) => newPhysicalDisk(disk, idOf.get(seen.serial)!, time)),
    )
    if (disks.length > 0) await tx.insertInto('physical_disk').values(disks).execute()
    if (switches.length > 0) {
      await tx
        .insertInto('rack_switch')
        .values(
          switches.map(({ serial, part, revision, slot }) => ({
            id: crypto.randomUUID(),
            fleet_id: FLEET_ID,
            rack_id: rack.id,
            slot,
            name: serial,
            part,
            revision,
            ...times,
          })),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    await beginMembership(tx, rack.id, time)
    await placeAllReplicas(tx, hardware.replicas)
    return sleds.map((seen) => ({ seen, id: idOf.get(seen.serial)! }))
  })
  for (const { seen, id } of added) await hardware.adopt(seen, id)
  if (added.length === 0) return
  // The rack is as expected, so its first inventory has no differences.
  const seen = seenRack.write(await hardware.inventory())
  await db.updateTable('rack').set({ seen }).execute()
}
