/** Moves instances away from a sled. */
import { rolloutProblems } from '@steading/api/rules'
import type { Db, OpenDatabase } from '../../../kernel/db/database.ts'
import { ApiError } from '../../../kernel/errors.ts'
import { writingIn } from '../../../kernel/work.ts'
import { changeInstance } from '../../compute/instances/change.ts'
import { takeDestination } from '../../compute/instances/resources.ts'

/** Most instances that migrate at the same time. */
const MOVES_AT_ONCE = 8

const instancesOn = (db: Db, sledId: string) =>
  db.selectFrom('instance').selectAll().where('sled_id', '=', sledId).orderBy('id').execute()

export interface Drained {
  /** Number of instances still there. */
  left: number
  /** Whether more of them began to migrate. */
  moved: boolean
  /** The reason why one of them cannot migrate. */
  problem: string | undefined
}

/**
 * Begins to migrate running instances away from a sled. Instances that start, stop or reboot must
 * finish that first.
 */
export async function drain(
  { db, transaction }: OpenDatabase,
  sled: { id: string; name: string },
  now: Date,
): Promise<Drained> {
  const instances = await instancesOn(db, sled.id)
  let moving = instances.filter(({ run_state }) => run_state === 'migrating').length
  let moved = false
  let problem: string | undefined
  for (const { id, run_state } of instances) {
    if (run_state !== 'running' || moving >= MOVES_AT_ONCE) continue
    try {
      const begun = await transaction(async (tx) => {
        const row = await tx
          .selectFrom('instance')
          .selectAll()
          .where('id', '=', id)
          .where('sled_id', '=', sled.id)
          .where('run_state', '=', 'running')
          .executeTakeFirst()
        return (
          row &&
          changeInstance(writingIn(tx, now), row, {
            run_state: 'migrating',
            destination_sled_id: await takeDestination(tx, row, now),
            migration_id: crypto.randomUUID(),
            reconcile_at: now.toISOString(),
          })
        )
      })
      if (!begun) continue
      moving++
      moved = true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { name } = instances.find((instance) => instance.id === id)!
      problem ??= rolloutProblems.noPlace(name, sled.name, error.message)
    }
  }
  return { left: instances.length, moved, problem }
}
