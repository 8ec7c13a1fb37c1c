/**
 * Placement of the bytes of disks: a distributed disk has as many replicas as the engine keeps
 * (`Hardware.replicas`), on different sleds if possible. `used` of a physical disk is the sum of the
 * replicas of disks, `reclaimable` that of the replicas of deleted disks whose bytes are still there.
 */
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { inPages } from '../../../kernel/db/pages.ts'
import type { SledPolicyKind } from '@steading/api/rules'
import { changeRow } from '../../../kernel/db/rows.ts'

/** A disk that needs replicas. */
export interface Stored {
  id: string
  size: number
}

/**
 * Whether a disk has replicas: it has bytes of its own, which a read-only one shares with its source,
 * and they are not in the directory of a storage pool.
 */
export const hasReplicas = (disk: {
  disk_type: string
  read_only: number
  storage_pool_id: string | null
}): boolean =>
  disk.disk_type === 'distributed' && disk.read_only === 0 && disk.storage_pool_id === null

/** The physical disks that can hold replicas. */
export const inUse = (db: Db) =>
  db
    .selectFrom('physical_disk as its')
    .innerJoin('sled', 'sled.id', 'its.sled_id')
    .where('its.form_factor', '=', 'u2')
    .where('its.policy', '=', 'in_service' satisfies SledPolicyKind)
    .where('its.healthy', '=', 1)
    .where('sled.policy', '=', 'in_service')
    .where('sled.responding', '=', 1)

export interface CandidateDisk {
  id: string
  sled_id: string
  size: number
  used: number
  reclaimable: number
}

export const candidateDisks = (db: Db): Promise<CandidateDisk[]> =>
  inUse(db).select(['its.id', 'its.sled_id', 'its.size', 'its.used', 'its.reclaimable']).execute()

/** The same disks without the bytes of deleted disks. */
const reclaimed = (from: readonly CandidateDisk[]): CandidateDisk[] =>
  from.map((candidate) => ({ ...candidate, reclaimable: 0 }))

/** Whether a replica is of a disk that is not deleted. */
export const isOfLiveDisk = sql<boolean>`exists (
  select 1 from disk where disk.id = disk_replica.disk_id and disk.time_deleted is null)`

/**
 * Whether a disk of some size fits with all of its replicas, once the bytes of deleted disks are
 * gone.
 */
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
export function choose(
  from: readonly CandidateDisk[],
  size: number,
  besides: readonly CandidateDisk[],
): CandidateDisk | undefined {
  const taken = new Set(besides.map(({ id }) => id))
  const sleds = new Set(besides.map(({ sled_id }) => sled_id))
  let best: CandidateDisk | undefined
  let lowest = Infinity
  for (const candidate of from) {
    const free = candidate.size - candidate.used - candidate.reclaimable
    if (taken.has(candidate.id) || free < size) continue
    const fullness = (candidate.used + size) / candidate.size + Math.random() * 0.02
    const rank = sleds.has(candidate.sled_id) ? 10 + fullness : fullness
    if (rank >= lowest) continue
    best = candidate
    lowest = rank
  }
  return best
}

/** Replicas to place. */
export interface Need {
  /** Bytes of each. */
  size: number
  replicas: number
  /** Physical disks with replicas of the same disk, which get no other one. */
  besides?: readonly CandidateDisk[]
}

/** Physical disks for some replicas; undefined if there is no room. */
function chooseDisks(
  from: readonly CandidateDisk[],
  { size, replicas, besides = [] }: Need,
): CandidateDisk[] | undefined {
  const chosen: CandidateDisk[] = []
  for (let n = 0; n < replicas; n++) {
    const candidate = choose(from, size, [...besides, ...chosen])
    if (!candidate) return undefined
    chosen.push(candidate)
  }
  return chosen
}

const sledsOf = (disks: readonly CandidateDisk[]): number =>
  new Set(disks.map(({ sled_id }) => sled_id)).size

/**
 * Chooses the physical disks for some replicas. What is kept of deleted disks never makes replicas
 * share a sled that would be on different ones without it.
 * @returns `held` if deleted disks have to go first; undefined if there is no room without them either
 */
export function choosePlace(
  from: readonly CandidateDisk[],
  need: Need,
): CandidateDisk[] | 'held' | undefined {
  const best = chooseDisks(reclaimed(from), need)
  if (!best) return undefined
  const chosen = chooseDisks(from, need)
  const besides = need.besides ?? []
  const isAsGood = chosen && sledsOf([...besides, ...chosen]) >= sledsOf([...besides, ...best])
  return isAsGood ? chosen : 'held'
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
 * @returns whether there was free space; if not, the transaction has to be rolled back
 */
export async function takeReplicas(
  db: Db,
  { id, size }: Stored,
  replicas: number,
): Promise<boolean> {
  const chosen = choosePlace(await candidateDisks(db), { size, replicas })
  if (chosen === undefined || chosen === 'held') return false
  // All of these transactions lock rows in the same order.
  for (const candidate of chosen.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const charged = await db
      .updateTable('physical_disk')
      .set({ used: sql`used + ${size}` })
      .where('id', '=', candidate.id)
      .where(sql<boolean>`used + reclaimable + ${size} <= size`)
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

/**
 * Reserves more space for the replicas of a disk, which stay where they are. Deleted disks may still
 * have it (`crowdedBy`).
 * @param size of the disk from now on, in bytes
 * @returns whether there was space; if not, the transaction has to be rolled back
 */
export async function growReplicas(db: Db, diskId: string, size: number): Promise<boolean> {
  const replicas = await db
    .selectFrom('disk_replica')
    .select(['physical_disk_id', 'size'])
    .where('disk_id', '=', diskId)
    .orderBy('physical_disk_id')
    .execute()
  for (const { physical_disk_id, size: before } of replicas) {
    const more = size - before
    const charged = await db
      .updateTable('physical_disk')
      .set({ used: sql`used + ${more}` })
      .where('id', '=', physical_disk_id)
      .where(sql<boolean>`used + ${more} <= size`)
      .returning('id')
      .executeTakeFirst()
    if (!charged) return false
  }
  await db.updateTable('disk_replica').set({ size }).where('disk_id', '=', diskId).execute()
  return true
}

/** Physical disks of a disk that have grown too full for the deleted disks on them. */
export const crowdedBy = (db: Db, diskId: string): Promise<CandidateDisk[]> =>
  db
    .selectFrom('disk_replica')
    .innerJoin('physical_disk as its', 'its.id', 'disk_replica.physical_disk_id')
    .select(['its.id', 'its.sled_id', 'its.size', 'its.used', 'its.reclaimable'])
    .where('disk_replica.disk_id', '=', diskId)
    .where(sql<boolean>`its.used + its.reclaimable > its.size`)
    .execute()

/** Disks per batch, when a database is upgraded. */
const SOME = 500

/**
 * Places the replicas of disks that were created before there were any; disks that do not fit have
 * none.
 */
export async function placeAllReplicas(db: Db, replicas: number): Promise<void> {
  const all = await candidateDisks(db)
  const replicated = db
    .selectFrom('disk')
    .select(['id', 'size'])
    .where('has_volume', '=', 1)
    .where('disk_type', '=', 'distributed')
    .where('read_only', '=', 0)
    .where('time_deleted', 'is', null)
  for await (const disks of inPages(replicated, 'id', SOME)) {
    const rows = disks.flatMap(({ id, size }) =>
      (chooseDisks(all, { size, replicas }) ?? []).map((candidate) => {
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

interface Replica {
  physical_disk_id: string
  size: number
}

/** Changes what physical disks count; transactions lock their rows in the same order. */
export async function recount(
  db: Db,
  replicas: readonly Replica[],
  { used, reclaimable }: Record<'used' | 'reclaimable', -1 | 0 | 1>,
): Promise<void> {
  const inOrder = replicas.toSorted((a, b) => (a.physical_disk_id < b.physical_disk_id ? -1 : 1))
  for (const { physical_disk_id, size } of inOrder) {
    await changeRow(db, 'physical_disk', physical_disk_id, {
      used: sql`used + ${used * size}`,
      reclaimable: sql`reclaimable + ${reclaimable * size}`,
    })
  }
}

const replicasOf = (db: Db, diskId: string): Promise<Replica[]> =>
  db
    .selectFrom('disk_replica')
    .select(['physical_disk_id', 'size'])
    .where('disk_id', '=', diskId)
    .execute()

/** Counts the replicas of a disk that is being deleted as room for others. */
export const makeReclaimable = async (db: Db, diskId: string): Promise<void> =>
  recount(db, await replicasOf(db, diskId), { used: -1, reclaimable: 1 })

/**
 * Counts the replicas of a disk that is being restored as its own again.
 * @returns whether there was space; if not, the transaction has to be rolled back
 */
export async function keepReplicas(db: Db, diskId: string): Promise<boolean> {
  const replicas = await replicasOf(db, diskId)
  const promised = await db
    .selectFrom('disk_replica')
    .innerJoin('physical_disk as its', 'its.id', 'disk_replica.physical_disk_id')
    .select('its.id')
    .where('disk_replica.disk_id', '=', diskId)
    .where(sql<boolean>`its.used + disk_replica.size > its.size`)
    .limit(1)
    .executeTakeFirst()
  if (promised) return false
  await recount(db, replicas, { used: 1, reclaimable: -1 })
  return true
}

/** Releases the space of the replicas of a deleted disk, whose bytes are gone. */
export async function releaseReplicas(db: Db, diskId: string): Promise<void> {
  const gone = await db
    .deleteFrom('disk_replica')
    .where('disk_id', '=', diskId)
    .returning(['physical_disk_id', 'size'])
    .execute()
  await recount(db, gone, { used: 0, reclaimable: -1 })
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
    .where(isOfLiveDisk)
    .execute()
  const elsewhere = reclaimed(await candidateDisks(db)).filter(
    (candidate) => candidate.sled_id !== sledId,
  )
  let withoutRoom = 0
  for (const { size } of replicas.toSorted((a, b) => b.size - a.size)) {
    const candidate = choose(elsewhere, size, [])
    if (candidate) candidate.used += size
    else withoutRoom++
  }
  return { replicas: replicas.length, withoutRoom }
}
