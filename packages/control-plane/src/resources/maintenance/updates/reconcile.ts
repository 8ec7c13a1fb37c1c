import { rolloutProblems } from '@steading/api/rules'
import type { Updateable } from 'kysely'
import type { Db, OpenDatabase } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { SeenSoftware, Updates } from '../../../kernel/ports/updates.ts'
import type { Reconciliation, Step } from '../../../kernel/reconciler/reconciler.ts'
import { writingIn } from '../../../kernel/work.ts'
import { drain } from '../../hardware/sleds/drain.ts'
import { artifactsOf, outdated, type Part, partsOf, desiredArtifact } from './rollout.ts'
import { seenSoftware, type SystemUpdateTable } from './kind.ts'

type Update = Row<'system_update'>
export interface UpdateParts {
  database: OpenDatabase
  updates: Updates
}
type UpdateStep = Step<'system_update'> & UpdateParts

/** Poll interval for conditions that may cause no wake-up, in milliseconds. */
const POLL_MS = 1_000

/** Ends a step with new values, unless another target was set meanwhile. */
async function settle(
  step: UpdateStep,
  row: Update,
  values: Updateable<SystemUpdateTable>,
  at: Date | null,
  alongside?: (tx: Db) => Promise<void>,
): Promise<void> {
  const { now } = step
  const changed = (Object.keys(values) as (keyof Update)[]).some(
    (column) => row[column] !== (values as Partial<Update>)[column],
  )
  if (!changed && !alongside) return step.end(step.database.db, at)
  await step.database.transaction(async (tx) => {
    const written = await step.end(tx, at, {
      values,
      unchanged: { generation: row.generation },
    })
    if (!written) return
    await alongside?.(tx)
    await writingIn(tx, now).emit('system_update', 'update', {
      id: row.id,
      name: row.version ?? '',
    })
  })
}

const soon = ({ now }: UpdateStep): Date => new Date(now.getTime() + POLL_MS)

/** Records whether the software of a sled is being updated. */
async function markSled(tx: Db, now: Date, { id, name }: Part, updating: 0 | 1): Promise<void> {
  await tx
    .updateTable('sled')
    .set({ updating, time_modified: now.toISOString() })
    .where('id', '=', id)
    .execute()
  await writingIn(tx, now).emit('sled', 'update', { id, name })
}

/** Clears the update flag of sleds that were expunged during their update. */
async function clearExpunged({ database: { db } }: UpdateStep): Promise<void> {
  await db
    .updateTable('sled')
    .set({ updating: 0 })
    .where('updating', '=', 1)
    .where((eb) => eb.or([eb('policy', '!=', 'in_service'), eb('state', '!=', 'active')]))
    .execute()
}

/** Takes the next step towards the target release: one change, on one sled or switch. */
async function proceed(
  step: UpdateStep,
  row: Update,
  software: SeenSoftware,
  seen: string,
): Promise<void> {
  const { database, updates, now } = step
  const time = now.toISOString()
  const stepped = { seen, problem: null, time_problem: null, time_last_step: time }
  const stuck = (problem: string, at = soon(step)) =>
    settle(
      step,
      row,
      { seen, problem, time_problem: row.problem === problem ? row.time_problem : time },
      at,
    )
  const wait = (at = soon(step)) =>
    settle(step, row, { seen, problem: null, time_problem: null }, at)

  const [recovered] = software.recovered
  if (recovered !== undefined) return stuck(rolloutProblems.recovered(recovered))
  await clearExpunged(step)
  const parts = await partsOf(database.db, software)
  const artifacts = await artifactsOf(database.db, row.repository_id!)
  const part =
    parts.find(({ updating }) => updating) ??
    parts.find((one) => outdated(artifacts, one).length > 0)
  if (!part) {
    return settle(step, row, { ...stepped, state: 'complete' }, null)
  }

  const [component] = outdated(artifacts, part)
  if (part.kind === 'sled') {
    if (!part.updating) {
      return settle(step, row, stepped, now, (tx) => markSled(tx, now, part, 1))
    }
    if (!part.responding) return stuck(rolloutProblems.silent(part.name))
    if (!component) return settle(step, row, stepped, now, (tx) => markSled(tx, now, part, 0))
    const { left, moved, unmovable } = await drain(database, part.id, now, { cause: 'update' })
    if (moved) step.wake('instance')
    const [first] = unmovable
    if (first && !moved) return stuck(rolloutProblems.noPlace(first.name, part.name, first.reason))
    if (moved) return settle(step, row, stepped, soon(step))
    if (left > 0) return wait()
  }

  const { installing } = component!
  const { hash } = desiredArtifact(artifacts, part, component!)!
  if (installing?.artifact === hash) {
    const readyAt = new Date(installing.readyAt)
    // Its expected time has passed, but it is not finished.
    return wait(readyAt > now ? readyAt : soon(step))
  }
  await updates.install(component!, { hash, repositoryId: row.repository_id! })
  return settle(step, row, stepped, now)
}

async function reconcileUpdate(step: UpdateStep, row: Update): Promise<void> {
  const { database, updates, now } = step
  const software = await updates.look()
  const seen = seenSoftware.write(software)
  if (row.state === 'in_progress') return proceed(step, row, software, seen)
  if (row.state === 'complete') {
    // A sled that was added or recovered since then has other software.
    const parts = await partsOf(database.db, software)
    const artifacts = await artifactsOf(database.db, row.repository_id!)
    if (parts.some((part) => outdated(artifacts, part).length > 0)) {
      return settle(step, row, { seen, state: 'in_progress' }, now)
    }
  }
  return settle(step, row, { seen }, null)
}

/** Brings the software of all sleds and switches to the target release. */
export const updateReconciliation = (parts: UpdateParts): Reconciliation<'system_update'> => ({
  table: 'system_update',
  reconcile: (step, row) => reconcileUpdate({ ...step, ...parts }, row),
  async resync() {
    await parts.database.db
      .updateTable('system_update')
      .set({ reconcile_at: new Date(0).toISOString() })
      .where('reconcile_at', 'is', null)
      .where('lease_until', 'is', null)
      .execute()
  },
})
