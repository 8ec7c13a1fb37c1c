/** Repairs of replicas on physical disks that are out of use, or were for a while. */
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import type { Writing } from '../../../kernel/work.ts'
import { releaseKept } from '../../workspace/deleted-resources/release.ts'
import { reclaim } from './reclaim.ts'
import { candidateDisks, choose, inUse, isOfLiveDisk } from './replicas.ts'

/** Replicas per step. */
const BATCH = 200

/** Replicas on physical disks that are out of use; there are few such disks. */
const misplaced = (db: Db) =>
  db.selectFrom('disk_replica').where('physical_disk_id', 'in', (eb) =>
    eb
      .selectFrom('physical_disk')
      .select('physical_disk.id')
      .where((its) => its.or([its('used', '>', 0), its('reclaimable', '>', 0)]))
      .where('physical_disk.id', 'not in', inUse(db).select('its.id')),
  )

/** Lost replicas whose physical disk is in use again. */
const returned = (db: Db) =>
  db
    .selectFrom('disk_replica')
    // The index has this condition.
    .where('state', '<>', 'ready')
    .where('state', '=', 'lost')
    .where('physical_disk_id', 'in', inUse(db).select('its.id'))

/** Whether replicas have to be repaired, or a repair is finished. */
export async function replicasWait(db: Db, now: Date): Promise<boolean> {
  const done = await db
    .selectFrom('disk_replica')
    .select('disk_id')
    .where('state', '<>', 'ready')
    .where('state', '=', 'repairing')
    .where('time_repaired', '<=', now.toISOString())
    .limit(1)
    .executeTakeFirst()
  if (done) return true
  for (const wait of [returned(db), misplaced(db)]) {
    if (await wait.select('disk_id').limit(1).executeTakeFirst()) return true
  }
  return false
}

/** Whether replicas are lost; they are tried again once there is more room. */
export async function hasLost(db: Db): Promise<boolean> {
  const lost = await db
    .selectFrom('disk_replica')
    .select('disk_id')
    // The index has this condition.
    .where('state', '<>', 'ready')
    .where('state', '=', 'lost')
    .limit(1)
    .executeTakeFirst()
  return lost !== undefined
}

/** The number of disks with a lost replica that fits nowhere else. */
export async function countLost(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('disk_replica')
    .where(isOfLiveDisk)
    .select((eb) => eb.fn.count<number>('disk_id').distinct().as('count'))
    // The index has this condition.
    .where('state', '<>', 'ready')
    .where('state', '=', 'lost')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** When the next repair finishes. */
export async function nextRepair(db: Db): Promise<Date | undefined> {
  const row = await db
    .selectFrom('disk_replica')
    .select('time_repaired')
    .where('state', '<>', 'ready')
    .where('state', '=', 'repairing')
    .orderBy('time_repaired')
    .limit(1)
    .executeTakeFirst()
  return row ? new Date(row.time_repaired!) : undefined
}

/**
 * Ends finished repairs, and begins those of replicas on physical disks that are out of use, or are
 * back and lack the writes in between; in a transaction that runs alone. Deleted disks that can be
 * restored make room for them.
 * @returns the physical disks whose use has changed, and whether more replicas wait
 */
export async function repairReplicas(
  writing: Writing,
  copyMs: (bytes: number) => number,
): Promise<{ changed: Set<string>; more: boolean }> {
  const { db, now } = writing
  const changed = new Set<string>()
  const finished = await db
    .updateTable('disk_replica')
    .set({ state: 'ready', time_started: null, time_repaired: null })
    .where('state', '<>', 'ready')
    .where('state', '=', 'repairing')
    .where('time_repaired', '<=', now.toISOString())
    .returning('physical_disk_id')
    .execute()
  for (const { physical_disk_id } of finished) changed.add(physical_disk_id)

  const back = await returned(db)
    .select(['disk_id', 'physical_disk_id', 'size'])
    .limit(BATCH)
    .execute()
  for (const { disk_id, physical_disk_id, size } of back) {
    await db
      .updateTable('disk_replica')
      .set({
        state: 'repairing',
        time_started: now.toISOString(),
        time_repaired: new Date(now.getTime() + copyMs(size)).toISOString(),
      })
      .where('disk_id', '=', disk_id)
      .where('physical_disk_id', '=', physical_disk_id)
      .execute()
    changed.add(physical_disk_id)
  }

  const waiting = await misplaced(db)
    .select(['disk_id', 'physical_disk_id', 'size', 'state'])
    .select(isOfLiveDisk.as('is_live'))
    .orderBy(sql`case when state = 'lost' then 1 else 0 end`)
    .orderBy('disk_id')
    .limit(BATCH)
    .execute()
  if (waiting.length === 0) return { changed, more: back.length === BATCH }
  const all = await candidateDisks(db)
  const candidateOf = new Map(all.map((candidate) => [candidate.id, candidate]))
  const siblings = await db
    .selectFrom('disk_replica')
    .select(['disk_id', 'physical_disk_id'])
    .where('disk_id', 'in', [...new Set(waiting.map(({ disk_id }) => disk_id))])
    .execute()
  let moved = 0
  let asked = false
  for (const { disk_id, physical_disk_id: from, size, state, is_live } of waiting) {
    const others = siblings.filter((sibling) => sibling.disk_id === disk_id)
    const besides = others.flatMap((sibling) => candidateOf.get(sibling.physical_disk_id) ?? [])
    const candidate = choose(all, size, besides)
    const replica = db
      .updateTable('disk_replica')
      .where('disk_id', '=', disk_id)
      .where('physical_disk_id', '=', from)
    if (!candidate) {
      // A deleted disk is not worth the room of others. Room is asked for once: it is there only when
      // the bytes are gone.
      if (!is_live) await releaseKept(writing, disk_id)
      else if (!asked) {
        await reclaim(writing, { size, replicas: 1, besides })
        asked = true
      }
      if (state === 'lost') continue
      await replica.set({ state: 'lost', time_started: null, time_repaired: null }).execute()
      changed.add(from)
      moved++
      continue
    }
    await replica
      .set({
        physical_disk_id: candidate.id,
        state: 'repairing',
        time_started: now.toISOString(),
        time_repaired: new Date(now.getTime() + copyMs(size)).toISOString(),
      })
      .execute()
    const counted = is_live ? 'used' : 'reclaimable'
    candidate[counted] += size
    others.find((sibling) => sibling.physical_disk_id === from)!.physical_disk_id = candidate.id
    for (const [id, delta] of [
      [from, -size],
      [candidate.id, size],
    ] as const) {
      await changeRow(db, 'physical_disk', id, {
        [counted]: sql`${sql.ref(counted)} + ${delta}`,
      })
      changed.add(id)
    }
    moved++
  }
  // Replicas that fit nowhere wait until the hardware changes.
  return { changed, more: moved === BATCH || back.length === BATCH }
}
