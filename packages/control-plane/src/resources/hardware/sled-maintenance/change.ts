/** Begins, changes and ends the maintenance of a sled. */
import type { Wire } from '@steading/api'
import {
  hardwareMessages,
  maintenanceMessages,
  maintenanceReasonProblem,
  type ProvisionPolicy,
} from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Work, Writing } from '../../../kernel/work.ts'
import type { MaintenanceRow } from './wire.ts'

export const maintenanceOf = (db: Db, sledId: string): Promise<MaintenanceRow | undefined> =>
  db.selectFrom('sled_maintenance').selectAll().where('sled_id', '=', sledId).executeTakeFirst()

/** @throws ApiError 400 */
function requireReason(reason: string): void {
  const problem = maintenanceReasonProblem(reason)
  if (problem) throw fail.invalidValue('reason', problem)
}

/** @throws ApiError 400 */
function requireFuture(timeEnd: string | null, now: Date): void {
  if (timeEnd !== null && Date.parse(timeEnd) <= now.getTime()) {
    throw fail.invalidValue('time_end', maintenanceMessages.endPast)
  }
}

const utc = (time: string | null | undefined): string | null =>
  time ? new Date(time).toISOString() : null

const setPolicy = ({ db, now }: Writing, sledId: string, policy: ProvisionPolicy) =>
  db
    .updateTable('sled')
    .set({ provision_policy: policy, time_modified: now.toISOString() })
    .where('id', '=', sledId)
    .execute()

/** @throws ApiError 409 for an expunged sled, or one that is in maintenance; 400 */
export async function beginMaintenance(
  work: Work,
  sled: Row<'sled'>,
  { reason, time_end, unmovable }: Wire.SledMaintenanceBegin,
): Promise<MaintenanceRow> {
  const { db, now, actor, services } = work
  requireReason(reason)
  const timeEnd = utc(time_end)
  requireFuture(timeEnd, now)
  if (sled.policy === 'expunged') throw fail.conflict(hardwareMessages.expunged)
  if (await maintenanceOf(db, sled.id)) throw fail.conflict(maintenanceMessages.already)
  const time = now.toISOString()
  const row = await db
    .insertInto('sled_maintenance')
    .values({
      id: crypto.randomUUID(),
      sled_id: sled.id,
      reason,
      time_end: timeEnd,
      unmovable,
      paused: 0,
      policy_before: sled.provision_policy,
      user_id: actor.userId,
      user_name: actor.displayName,
      user_silo_id: actor.siloId,
      time_begun: time,
      reconcile_at: time,
      lease_until: null,
      fence: 0,
      step_failures: 0,
      step_failure: null,
      time_step_failed: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await setPolicy(work, sled.id, 'non_provisionable')
  await work.emit('sled', 'update', sled)
  work.afterCommit(async () => services.reconciler.wake('sled_maintenance'))
  return row
}

/** Writes new values of a maintenance, which is then due. */
export async function changeMaintenance(
  { db, now, emit, services, afterCommit }: Work,
  sled: Row<'sled'>,
  row: MaintenanceRow,
  values: Partial<Pick<MaintenanceRow, 'reason' | 'time_end' | 'unmovable' | 'paused'>>,
): Promise<MaintenanceRow> {
  const changed = await db
    .updateTable('sled_maintenance')
    .set({ ...values, reconcile_at: now.toISOString() })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await emit('sled', 'update', sled)
  afterCommit(async () => services.reconciler.wake('sled_maintenance'))
  return changed
}

/** @throws ApiError 400 for a new end that has passed */
export async function updateMaintenance(
  work: Work,
  sled: Row<'sled'>,
  row: MaintenanceRow,
  { reason, time_end, unmovable }: Wire.SledMaintenanceUpdate,
): Promise<MaintenanceRow> {
  requireReason(reason)
  const timeEnd = utc(time_end)
  if (timeEnd !== row.time_end) requireFuture(timeEnd, work.now)
  return changeMaintenance(work, sled, row, { reason, time_end: timeEnd, unmovable })
}

async function removeMaintenance(db: Db, { id }: MaintenanceRow): Promise<void> {
  await db.deleteFrom('sled_maintenance_instance').where('maintenance_id', '=', id).execute()
  await db.deleteFrom('sled_maintenance').where('id', '=', id).execute()
}

/**
 * Ends the maintenance of a sled. Moves in progress go on.
 * @param policy the provision policy of the sled from now on; by default that of before
 */
export async function endMaintenance(
  work: Writing,
  sled: Row<'sled'>,
  row: MaintenanceRow,
  policy: ProvisionPolicy = row.policy_before,
): Promise<void> {
  await removeMaintenance(work.db, row)
  await setPolicy(work, sled.id, policy)
  await work.emit('sled', 'update', sled)
}

/** Forgets the maintenance of a sled that is being expunged. */
export async function dropMaintenance(db: Db, sledId: string): Promise<void> {
  const row = await maintenanceOf(db, sledId)
  if (row) await removeMaintenance(db, row)
}
