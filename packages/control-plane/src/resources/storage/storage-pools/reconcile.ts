/** Looks at storage pools from time to time, adds new ones to the engine, and removes others. */
import { storagePoolMessages } from '@steading/api/rules'
import type { Db, OpenDatabase } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { UnusablePoolError } from '../../../kernel/ports/storage-pools.ts'
import type { Reconciliation, Step } from '../../../kernel/reconciler/reconciler.ts'
import { writingIn } from '../../../kernel/work.ts'
import { countHeld } from './held.ts'
import { lookAt, placeOf, type PoolLook, type PoolParts, writeHosts } from './look.ts'

interface Parts extends PoolParts {
  database: OpenDatabase
  clock: () => Date
}
type PoolStep = Step<'storage_pool'>
type PoolRow = Row<'storage_pool'>

/** Interval of the looks at a pool. Milliseconds. */
const LOOK_MS = 60_000

/** Whether a look says something new to operators. Free room changes all the time. */
const isNews = (row: PoolRow, { values }: PoolLook): boolean =>
  row.state !== values.state || row.problem !== values.problem || row.time_checked === null

async function look(parts: Parts, step: PoolStep, row: PoolRow): Promise<void> {
  const { database, clock, storagePools } = parts
  const found = await lookAt(database.db, parts, row)
  if (found.values.state === 'healthy' && row.built_in === 0) {
    try {
      await storagePools.add({ ...placeOf(row), id: row.id })
    } catch (error) {
      if (!(error instanceof UnusablePoolError)) throw error
      Object.assign(found.values, { state: 'unreachable', problem: error.message })
    }
  }
  // Hosts are asked only about a pool that the engine has: at the next look.
  const isNew = row.state !== 'healthy' && found.values.state === 'healthy'
  await database.transaction(async (tx) => {
    const now = clock()
    const written = await step.end(tx, new Date(now.getTime() + (isNew ? 0 : LOOK_MS)), {
      values: { ...found.values, time_checked: now.toISOString() },
      unchanged: { generation: row.generation },
    })
    if (!written) return
    const isChanged = await writeHosts(tx, row.id, found.hosts)
    if (isChanged || isNews(row, found)) {
      await writingIn(tx, now).emit('storage_pool', 'update', written)
    }
  })
}

async function leave(parts: Parts, step: PoolStep, row: PoolRow): Promise<void> {
  const { database, clock, storagePools } = parts
  const holds = async (db: Db) => {
    const { disks, snapshots } = await countHeld(db, row.id)
    return disks + snapshots > 0 ? storagePoolMessages.holdsDisks(disks, snapshots) : undefined
  }
  const held = await holds(database.db)
  if (held === undefined) await storagePools.remove({ ...placeOf(row), id: row.id })
  await database.transaction(async (tx) => {
    const now = clock()
    // A disk may have been made in it while the operator removed it.
    const values =
      held === undefined
        ? { time_deleted: now.toISOString() }
        : { state: 'checking' as const, time_modified: now.toISOString() }
    const written = await step.end(tx, held === undefined ? null : now, {
      values,
      unchanged: { generation: row.generation },
    })
    if (written) {
      await writingIn(tx, now).emit(
        'storage_pool',
        held === undefined ? 'delete' : 'update',
        written,
      )
    }
  })
}

export const storagePoolReconciliation = (parts: Parts): Reconciliation<'storage_pool'> => ({
  table: 'storage_pool',
  async reconcile(step, row) {
    if (row.time_deleted !== null) return step.end(parts.database.db, null)
    return row.state === 'leaving' ? leave(parts, step, row) : look(parts, step, row)
  },
})
