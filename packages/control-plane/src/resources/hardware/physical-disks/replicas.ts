/**
 * Placement of the bytes of disks: a distributed disk has as many replicas as the engine keeps
 * (`Hardware.replicas`), on different sleds if possible. `used` of a physical disk is the sum of its replicas.
 */
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { SledPolicyKind } from '@steading/api/rules'
import { changeRow } from '../../../kernel/db/rows.ts'

/** A disk that needs replicas. */
export interface Stored {
  id: string
  size: number
}

/** Whether a disk has bytes of its own; a read-only one shares those of its source. */
export const hasReplicas = (disk: { disk_type: string; read_only: number }): boolean =>
  disk.disk_type === 'distributed' && disk.read_only === 0

/** The physical disks that can hold replicas. */
const inUse = (db: Db) =>
  db
    .selectFrom('physical_disk as its')
    .innerJoin('sled', 'sled.id', 'its.sled_id')
    .where('its.form_factor', '=', 'u2')
    .where('its.policy', '=', 'in_service' satisfies SledPolicyKind)
    .where('its.healthy', '=', 1)
    .where('sled.policy', '=', 'in_service')
    .where('sled.responding', '=', 1)

interface CandidateDisk {
  id: string
  sled_id: string
  size: number
  used: number
}

const candidateDisks = (db: Db): Promise<CandidateDisk[]> =>
  inUse(db).select(['its.id', 'its.sled_id', 'its.size', 'its.used']).execute()

/** Bytes of the largest physical disk for volumes, in use or not; 0 if there is none. */
export async function largestDisk(db: Db): Promise<number> {
  const { size } = await db
    .selectFrom('physical_disk')
    .select((eb) => eb.fn.max('size').as('size'))
    .where('form_factor', '=', 'u2')
    .executeTakeFirstOrThrow()
  return size ?? 0
}

/** Whether a disk of some size fits at present, with all of its replicas. */
export async function hasRoom(db: Db, size: number, replicas: number): Promise<boolean> {
  const rows = await inUse(db)
    .select('its.id')
    .where(sql<boolean>`its.size - its.used >= ${size}`)
    .limit(replicas)
    .execute()
  return rows.length === replicas
}

/**
 * The best disk for another replica: preferably on a sled without one, and rather empty. A random
 * choice spreads disks that are created at the same time.
 */
function choose(
  from: readonly CandidateDisk[],
  size: number,
  besides: readonly CandidateDisk[],
): CandidateDisk | undefined {
  const taken = new Set(besides.map(({ id }) => id))
  const sleds = new Set(besides.map(({ sled_id }) => sled_id))
  let best: CandidateDisk | undefined
  let lowest = Infinity
  for (const candidate of from) {
    if (taken.has(candidate.id) || candidate.used + size > candidate.size) continue
    const fullness = (candidate.used + size) / candidate.size + Math.random() * 0.02
    const rank = sleds.has(candidate.sled_id) ? 10 + fullness : fullness
    if (rank >= lowest) continue
    best = candidate
    lowest = rank
  }
  return best
}

/** Physical disks for all replicas of a disk; undefined if there is no room. */
export function chooseDisks(
  from: readonly CandidateDisk[],
  size: number,
  replicas: number,
): CandidateDisk[] | undefined {
  const chosen: CandidateDisk[] = []
  for (let n = 0; n < replicas; n++) {
    const candidate = choose(from, size, chosen)
    if (!candidate) return undefined
    chosen.push(candidate)
  }
  return chosen
}

const replicaOn = (candidate: CandidateDisk, { id, size }: Stored) => ({
  disk_id: id,
  physical_disk_id: candidate.id,
  size,
  state: 'ready' as const,
  time_started: null,
  time_repaired: null,
})

/**
 * Reserves space for the replicas of a disk. Concurrent transactions may do the same, so each
 * physical disk is charged by a statement that does nothing if it is full by then.
 * @returns whether there was space; if not, the transaction has to be rolled back
 */
export async function takeReplicas(
  db: Db,
  { id, size }: Stored,
  replicas: number,
): Promise<boolean> {
  const chosen = chooseDisks(await candidateDisks(db), size, replicas)
  if (!chosen) return false
  // All of these transactions lock rows in the same order.
  for (const candidate of chosen.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const charged = await db
      .updateTable('physical_disk')
      .set({ used: sql`used + ${size}` })
      .where('id', '=', candidate.id)
      .where(sql<boolean>`used + ${size} <= size`)
      .returning('id')
      .executeTakeFirst()
    if (!charged) return false
  }
  await db
    .insertInto('disk_replica')
    .values(chosen.map((candidate) => replicaOn(candidate, { id, size })))
    .execute()
  return true
}

/** Disks per batch, when a database is upgraded. */
const SOME = 500

/**
 * Places the replicas of disks that were created before there were any; disks that do not fit have
 * none.
 */
export async function placeAllReplicas(db: Db, replicas: number): Promise<void> {
  const all = await candidateDisks(db)
  for (let after = ''; ;) {
    const disks = await db
      .selectFrom('disk')
      .select(['id', 'size'])
      .where('id', '>', after)
      .where('has_volume', '=', 1)
      .where('disk_type', '=', 'distributed')
      .where('read_only', '=', 0)
      .orderBy('id')
      .limit(SOME)
      .execute()
    if (disks.length === 0) break
    after = disks.at(-1)!.id
    const rows = disks.flatMap(({ id, size }) =>
      (chooseDisks(all, size, replicas) ?? []).map((candidate) => {
        candidate.used += size
        return replicaOn(candidate, { id, size })
      }),
    )
    if (rows.length > 0) await db.insertInto('disk_replica').values(rows).execute()
  }
  for (const { id, used } of all) {
    await changeRow(db, 'physical_disk', id, { used })
  }
}

/** Releases the space of the replicas of a disk. */
export async function releaseReplicas(db: Db, diskId: string): Promise<void> {
  const gone = await db
    .deleteFrom('disk_replica')
    .where('disk_id', '=', diskId)
    .returning(['physical_disk_id', 'size'])
    .execute()
  for (const { physical_disk_id, size } of gone.toSorted((a, b) =>
    a.physical_disk_id < b.physical_disk_id ? -1 : 1,
  )) {
    await changeRow(db, 'physical_disk', physical_disk_id, { used: sql`used - ${size}` })
  }
}

/** Replicas per step. */
const BATCH = 200

/** Replicas on physical disks that are out of use; there are few such disks. */
const misplaced = (db: Db) =>
  db
    .selectFrom('disk_replica')
    .where('physical_disk_id', 'in', (eb) =>
      eb
        .selectFrom('physical_disk')
        .select('physical_disk.id')
        .where('used', '>', 0)
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

/** The number of disks with a lost replica that fits nowhere else. */
export async function countLost(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('disk_replica')
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
 * back and lack the writes in between; in a transaction that runs alone.
 * @returns the physical disks whose use has changed, and whether more replicas wait
 */
export async function repairReplicas(
  db: Db,
  now: Date,
  copyMs: (bytes: number) => number,
): Promise<{ changed: Set<string>; more: boolean }> {
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
  for (const { disk_id, physical_disk_id: from, size, state } of waiting) {
    const others = siblings.filter((sibling) => sibling.disk_id === disk_id)
    const besides = others.flatMap((sibling) => candidateOf.get(sibling.physical_disk_id) ?? [])
    const candidate = choose(all, size, besides)
    const replica = db
      .updateTable('disk_replica')
      .where('disk_id', '=', disk_id)
      .where('physical_disk_id', '=', from)
    if (!candidate) {
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
    candidate.used += size
    others.find((sibling) => sibling.physical_disk_id === from)!.physical_disk_id = candidate.id
    for (const [id, delta] of [
      [from, -size],
      [candidate.id, size],
    ] as const) {
      await changeRow(db, 'physical_disk', id, { used: sql`used + ${delta}` })
      changed.add(id)
    }
    moved++
  }
  // Replicas that fit nowhere wait until the hardware changes.
  return { changed, more: moved === BATCH || back.length === BATCH }
}

/** The number of replicas on a sled, and how many of them would fit nowhere else. */
export async function countReplicasOf(
  db: Db,
  sledId: string,
): Promise<{ replicas: number; withoutRoom: number }> {
  const replicas = await db
    .selectFrom('disk_replica')
    .innerJoin('physical_disk', 'physical_disk.id', 'disk_replica.physical_disk_id')
    .select('disk_replica.size')
    .where('physical_disk.sled_id', '=', sledId)
    .execute()
  const elsewhere = (await candidateDisks(db)).filter((candidate) => candidate.sled_id !== sledId)
  let withoutRoom = 0
  for (const { size } of replicas.toSorted((a, b) => b.size - a.size)) {
    const candidate = choose(elsewhere, size, [])
    if (candidate) candidate.used += size
    else withoutRoom++
  }
  return { replicas: replicas.length, withoutRoom }
}
