/** Moves the instances of a sled in maintenance away, a few at a time. */
import { operationTable } from '@steading/api'
import { maintenanceProblems, MOVE_ATTEMPTS, MOVES_AT_ONCE } from '@steading/api/rules'
import { entryOf, writeEntries } from '../../../kernel/audit/entry.ts'
import { createAuditContext } from '../../../kernel/audit/audit-context.ts'
import type { Db, OpenDatabase, Tx } from '../../../kernel/db/database.ts'
import type { Machines } from '../../../kernel/ports/machines.ts'
import type { Reconciliation, Step } from '../../../kernel/reconciler/reconciler.ts'
import { writingIn } from '../../../kernel/work.ts'
import { readRow } from '../../../kernel/db/rows.ts'
import { changeInstance } from '../../compute/instances/change.ts'
import { noteState } from '../../networking/multicast-groups/notice.ts'
import { type Drained, drain } from '../sleds/drain.ts'
import type { MaintenanceRow } from './wire.ts'

interface MaintenanceParts {
  database: OpenDatabase
  machines: Machines
}
type MaintenanceStep = Step<'sled_maintenance'> & MaintenanceParts
type Unmovable = Drained['unmovable']

/** Poll interval while instances move, start or stop, in milliseconds. */
const POLL_MS = 1_000
/** The same while there is only room to wait for. */
const BLOCKED_POLL_MS = 10_000

/** Whether a maintenance goes on: it may have been paused, changed or ended since it was claimed. */
const isActive = async (tx: Db, { id, unmovable }: MaintenanceRow): Promise<boolean> => {
  const row = await tx
    .selectFrom('sled_maintenance')
    .select('id')
    .where('id', '=', id)
    .where('paused', '=', 0)
    .where('unmovable', '=', unmovable)
    .executeTakeFirst()
  return row !== undefined
}

/** Id of an instance whose move was cancelled → the reason. It stays, and is not stopped either. */
async function cancelled(db: Db, { id }: MaintenanceRow): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('instance_move')
    .select(['instance_id', 'cancelled_by'])
    .where('maintenance_id', '=', id)
    .where('state', '=', 'cancelled')
    .execute()
  return new Map(
    rows.map(({ instance_id, cancelled_by }) => [
      instance_id,
      maintenanceProblems.cancelled(cancelled_by!),
    ]),
  )
}

/** Id of an instance whose moves have failed too often → the reason. */
async function givenUp(db: Db, { id }: MaintenanceRow): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('instance_move')
    .select(['instance_id', 'reason'])
    .where('maintenance_id', '=', id)
    .where('state', '=', 'failed')
    .orderBy('time_started')
    .orderBy('id')
    .execute()
  const failures = Map.groupBy(rows, ({ instance_id }) => instance_id)
  return new Map(
    [...failures]
      .filter(([, failed]) => failed.length >= MOVE_ATTEMPTS)
      .map(([instance, failed]) => [
        instance,
        maintenanceProblems.failed(failed.length, failed.at(-1)!.reason!),
      ]),
  )
}

/** All running instances of a sled, where the engine moves none. */
async function withoutMoves(db: Db, sledId: string): Promise<Drained> {
  const rows = await db
    .selectFrom('instance')
    .select(['id', 'name', 'run_state'])
    .where('sled_id', '=', sledId)
    .execute()
  const unmovable = rows
    .filter(({ run_state }) => run_state === 'running')
    .map(({ id, name }) => ({ id, name, reason: maintenanceProblems.noEngine }))
  return { left: rows.length, moving: 0, moved: false, unmovable }
}

/** Records which instances cannot move, and tells consoles if that has changed. */
async function note(
  { database, now }: MaintenanceStep,
  row: MaintenanceRow,
  serial: string,
  unmovable: Unmovable,
): Promise<void> {
  const its = (db: Db) =>
    db
      .selectFrom('sled_maintenance_instance')
      .select(['instance_id', 'reason'])
      .where('maintenance_id', '=', row.id)
      .where('state', '=', 'impossible')
      .execute()
  const key = ({ id, reason }: { id: string; reason: string | null }) => `${id} ${reason}`
  const known = new Set(
    (await its(database.db)).map(({ instance_id: id, reason }) => key({ id, reason })),
  )
  if (known.size === unmovable.length && unmovable.every((one) => known.has(key(one)))) return
  await database.transaction(async (tx) => {
    if (!(await isActive(tx, row))) return
    await tx
      .deleteFrom('sled_maintenance_instance')
      .where('maintenance_id', '=', row.id)
      .where((eb) =>
        eb.or([
          eb('state', '=', 'impossible'),
          eb('instance_id', 'in', ['', ...unmovable.map(({ id }) => id)]),
        ]),
      )
      .execute()
    for (const { id, reason } of unmovable) {
      const values = { maintenance_id: row.id, instance_id: id, reason }
      await tx
        .insertInto('sled_maintenance_instance')
        .values({ ...values, state: 'impossible' })
        .execute()
    }
    await writingIn(tx, now).emit('sled', 'update', { id: row.sled_id, name: serial })
  })
}

/**
 * Stops an instance that cannot move. Its silo finds that in its audit log: the operator chose it.
 * @returns whether it stops now
 */
async function stop(
  tx: Tx,
  row: MaintenanceRow,
  serial: string,
  { id, reason }: Unmovable[number],
  now: Date,
): Promise<boolean> {
  const instance = await tx
    .selectFrom('instance')
    .selectAll()
    .where('id', '=', id)
    .where('sled_id', '=', row.sled_id)
    .where('run_state', '=', 'running')
    .executeTakeFirst()
  if (!instance) return false
  const { silo_id: siloId } = await readRow(tx, 'project', instance.project_id, 'silo_id')
  const author = { userId: row.user_id, displayName: row.user_name, siloId: row.user_silo_id }
  const audit = createAuditContext()
  const { name, project_id: projectId } = instance
  audit.note({ kind: 'instance', id, name, siloId, projectId })
  const changed = await changeInstance(writingIn(tx, now, author), instance, {
    run_state: 'stopping',
    reconcile_at: now.toISOString(),
  })
  if (!changed) return false
  await noteState(tx, now, instance, 'stopping')
  const values = { maintenance_id: row.id, instance_id: id, state: 'stopped', reason } as const
  await tx
    .insertInto('sled_maintenance_instance')
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(['maintenance_id', 'instance_id']).doUpdateSet({ state: 'stopped', reason }),
    )
    .execute()
  const entry = entryOf({
    called: { id: 'instance_stop', operation: operationTable.instance_stop },
    origin: {
      requestId: row.id,
      uri: `/x/v1/system/hardware/sleds/${row.sled_id}/maintenance`,
      sourceIp: '',
      userAgent: `maintenance of sled ${serial}`,
    },
    author,
    args: {},
    audit,
    started: now,
    completed: now,
  })
  await writeEntries(tx, [entry])
  return true
}

async function reconcileMaintenance(step: MaintenanceStep, row: MaintenanceRow): Promise<void> {
  const { database, machines, now } = step
  const { db } = database
  if (row.paused === 1) return step.end(db, null)
  const { name: serial } = await readRow(db, 'sled', row.sled_id, 'name')
  const staying = await cancelled(db, row)
  const { left, moving, moved, unmovable } = machines.migrate
    ? await drain(database, row.sled_id, now, {
        cause: 'maintenance',
        maintenanceId: row.id,
        userName: row.user_name,
        isActive: (tx) => isActive(tx, row),
        except: new Map([...(await givenUp(db, row)), ...staying]),
      })
    : await withoutMoves(db, row.sled_id)
  await note(step, row, serial, unmovable)
  let stopped = 0
  // Moves in progress may make room for further ones.
  if (row.unmovable === 'stop' && moving === 0) {
    const stoppable = unmovable.filter(({ id }) => !staying.has(id))
    for (const instance of stoppable.slice(0, MOVES_AT_ONCE)) {
      const stops = await database.transaction(
        async (tx) => (await isActive(tx, row)) && stop(tx, row, serial, instance, now),
      )
      if (stops) stopped++
    }
  }
  if (moved || stopped > 0) step.wake('instance')
  if (stopped > 0) step.wake('multicast_group')
  if (left === 0) return step.end(db, null)
  const isBlocked = !moved && stopped === 0 && unmovable.length === left
  return step.end(db, new Date(now.getTime() + (isBlocked ? BLOCKED_POLL_MS : POLL_MS)))
}

export const maintenanceReconciliation = (
  parts: MaintenanceParts,
): Reconciliation<'sled_maintenance'> => ({
  table: 'sled_maintenance',
  reconcile: (step, row) => reconcileMaintenance({ ...step, ...parts }, row),
})
