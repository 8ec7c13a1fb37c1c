/**
 * The resources of a running instance: CPU and memory of its silo's quota, and room on a sled. They
 * are reserved and released in the transaction that changes its state, so that none can leak.
 */
import { quotaMessages } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { writingIn } from '../../../kernel/work.ts'
import { changeRow, readRow } from '../../../kernel/db/rows.ts'
import { requireDisksAtRest } from '../../storage/disks/at-rest.ts'
import { recordChange } from '../../observability/metrics/record.ts'
import { chooseSled, requireDestination } from './placement.ts'
import type { InstanceRow } from './wire.ts'

const projectOf = (db: Db, id: string): Promise<Pick<Row<'project'>, 'id' | 'silo_id'>> =>
  readRow(db, 'project', id, 'id', 'silo_id')

async function chargeQuota(
  db: Db,
  project: Pick<Row<'project'>, 'id' | 'silo_id'>,
  row: InstanceRow,
  now: Date,
): Promise<void> {
  const { used_cpus, used_memory, quota_cpus, quota_memory } = await db
    .updateTable('silo')
    .set({
      used_cpus: sql`used_cpus + ${row.ncpus}`,
      used_memory: sql`used_memory + ${row.memory}`,
    })
    .where('id', '=', project.silo_id)
    .returning(['used_cpus', 'used_memory', 'quota_cpus', 'quota_memory'])
    .executeTakeFirstOrThrow()
  // The rollback of the transaction releases the reservation.
  if (used_cpus > quota_cpus) throw fail.insufficientCapacity(quotaMessages.cpus)
  if (used_memory > quota_memory) throw fail.insufficientCapacity(quotaMessages.memory)
  await recordChange(db, project, { cpus: row.ncpus, memory: row.memory }, now)
}

/** Changes the used resources of a sled, and emits the event. */
async function changeSled(
  db: Db,
  id: string,
  threads: number,
  ram: number,
  now: Date,
): Promise<void> {
  const sled = await db
    .updateTable('sled')
    .set({ used_threads: sql`used_threads + ${threads}`, used_ram: sql`used_ram + ${ram}` })
    .where('id', '=', id)
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow()
  await writingIn(db, now).emit('sled', 'update', sled)
}

export interface Placement {
  vm_id: string
  sled_id: string
}

/**
 * Charges the quota and reserves a sled.
 * @throws ApiError 507 when the quota or the sleds have no room, 400 when the groups of the
 *   instance allow no sled, 409 while a disk is being rolled back; nothing is reserved then
 */
export async function takeResources(db: Db, row: InstanceRow, now: Date): Promise<Placement> {
  await requireDisksAtRest(db, row.id)
  const project = await projectOf(db, row.project_id)
  const sledId = await chooseSled(db, row)
  await chargeQuota(db, project, row, now)
  await changeSled(db, sledId, row.ncpus, row.memory, now)
  return { vm_id: crypto.randomUUID(), sled_id: sledId }
}

/**
 * Releases the resources that {@link takeResources} reserved; does nothing for an instance without
 * a VM.
 */
export async function releaseResources(db: Db, row: InstanceRow, now: Date): Promise<void> {
  if (row.vm_id === null || row.sled_id === null) return
  const project = await projectOf(db, row.project_id)
  await changeRow(db, 'silo', project.silo_id, {
    used_cpus: sql`used_cpus - ${row.ncpus}`,
    used_memory: sql`used_memory - ${row.memory}`,
  })
  await recordChange(db, project, { cpus: -row.ncpus, memory: -row.memory }, now)
  await changeSled(db, row.sled_id, -row.ncpus, -row.memory, now)
  await releaseDestination(db, row, now)
}

/**
 * Reserves another sled for a running instance, in addition to its present one.
 * @param wanted the sled to reserve; by default the best one
 * @throws ApiError 507 when no sled has room, or the wanted one cannot take it; 400 when the groups
 *   of the instance allow none; 409 while a disk is being moved
 */
export async function takeDestination(
  db: Db,
  row: InstanceRow,
  now: Date,
  wanted?: string,
): Promise<string> {
  await requireDisksAtRest(db, row.id)
  const sledId = wanted ?? (await chooseSled(db, row, { without: row.sled_id!, moved: new Map() }))
  if (wanted !== undefined) await requireDestination(db, row, wanted)
  await changeSled(db, sledId, row.ncpus, row.memory, now)
  return sledId
}

/** Releases the destination of an instance; does nothing if it is not migrating. */
export async function releaseDestination(db: Db, row: InstanceRow, now: Date): Promise<void> {
  if (row.destination_sled_id === null) return
  await changeSled(db, row.destination_sled_id, -row.ncpus, -row.memory, now)
}

/** Releases the sled that an instance has left. */
export const releaseOrigin = (db: Db, row: InstanceRow, now: Date): Promise<void> =>
  changeSled(db, row.sled_id!, -row.ncpus, -row.memory, now)
