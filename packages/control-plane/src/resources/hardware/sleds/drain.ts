/** Moves instances away from a sled, for its maintenance or its update. */
import { type MoveCause, MOVES_AT_ONCE } from '@steading/api/rules'
import type { OpenDatabase, Tx } from '../../../kernel/db/database.ts'
import { ApiError } from '../../../kernel/errors.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import { writingIn } from '../../../kernel/work.ts'
import { chooseSled } from '../../compute/instances/placement.ts'
import { beginMove } from '../../compute/moves/move.ts'

interface Draining {
  cause: MoveCause
  maintenanceId?: string
  userName?: string
  /** Asked in the transaction of each move. */
  isActive?: (tx: Tx) => Promise<boolean>
  /** Id of an instance that is not tried → the reason. */
  except?: ReadonlyMap<string, string>
}

export interface Drained {
  /** Number of instances still there. */
  left: number
  /** Number of them that move. */
  moving: number
  /** Whether more of them began to move. */
  moved: boolean
  /** The running instances that cannot move now. */
  unmovable: { id: string; name: string; reason: string }[]
}

/**
 * Begins to move running instances away from a sled, a few at the same time. Instances that start,
 * stop or reboot must finish that first.
 */
export async function drain(
  { db, transaction }: OpenDatabase,
  sledId: string,
  now: Date,
  { isActive, except, ...begun }: Draining,
): Promise<Drained> {
  const instances = await db
    .selectFrom('instance')
    .select(['id', 'name', 'run_state', 'ncpus', 'memory', 'cpu_platform'])
    .where('sled_id', '=', sledId)
    .orderBy('id')
    .execute()
  let moving = instances.filter(({ run_state }) => run_state === 'migrating').length
  let moved = false
  const unmovable: Drained['unmovable'] = []
  for (const instance of instances) {
    if (instance.run_state !== 'running') continue
    const { id, name } = instance
    const why = except?.get(id)
    if (why !== undefined) {
      unmovable.push({ id, name, reason: why })
      continue
    }
    await yieldToEventLoop()
    try {
      // Many that find no room must not stop all other writes, so the first look is outside.
      await chooseSled(db, instance, { without: sledId, moved: new Map() })
      if (moving >= MOVES_AT_ONCE) continue
      const begin = await transaction(async (tx) => {
        if (isActive && !(await isActive(tx))) return 'ended'
        const row = await tx
          .selectFrom('instance')
          .selectAll()
          .where('id', '=', id)
          .where('sled_id', '=', sledId)
          .where('run_state', '=', 'running')
          .executeTakeFirst()
        return row && beginMove(writingIn(tx, now), row, begun)
      })
      if (begin === 'ended') break
      if (begin === undefined) continue
      moving++
      moved = true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      unmovable.push({ id, name, reason: error.message })
    }
  }
  return { left: instances.length, moving, moved, unmovable }
}
