/** Room on physical disks that is made by releasing deleted disks for good, the oldest first. */
import type { Db } from '../../../kernel/db/database.ts'
import type { Writing } from '../../../kernel/work.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import { isKept } from '../../workspace/deleted-resources/keep.ts'
import { releaseKept } from '../../workspace/deleted-resources/release.ts'
import {
  type CandidateDisk,
  candidateDisks,
  choosePlace,
  crowdedBy,
  type Need,
} from './replicas.ts'

/** Deleted disks that are read at once. */
const PAGE = 100
/** Deleted disks that one transaction considers, and those that it releases. */
const CONSIDERED_MAX = 1_000
const RELEASED_MAX = 50

/** A deleted disk whose bytes are still there. */
interface Deleted {
  id: string
  replicas: { physical_disk_id: string; size: number }[]
}

async function withReplicas(db: Db, ids: string[]): Promise<Deleted[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('disk_replica')
    .select(['disk_id', 'physical_disk_id', 'size'])
    .where('disk_id', 'in', ids)
    .execute()
  const byDisk = Map.groupBy(rows, ({ disk_id }) => disk_id)
  return ids.flatMap((id) => {
    const replicas = byDisk.get(id)
    return replicas ? [{ id, replicas }] : []
  })
}

/** Deleted disks whose bytes the reconciler is about to free. */
async function beingFreed(db: Db): Promise<Deleted[]> {
  const due = ['reconcile_at', 'lease_until'] as const
  const ids = new Set<string>()
  for (const column of due) {
    const rows = await db
      .selectFrom('disk')
      .select('id')
      .where(column, 'is not', null)
      .where('time_deleted', 'is not', null)
      .where((eb) => eb.not(isKept()))
      .limit(CONSIDERED_MAX)
      .execute()
    for (const { id } of rows) ids.add(id)
  }
  return withReplicas(db, [...ids])
}

/** Deleted disks that can be restored, the oldest first. */
async function* restorable(db: Db): AsyncGenerator<Deleted> {
  let last = { time_created: '', id: '' }
  for (let read = 0; read < CONSIDERED_MAX; read += PAGE) {
    const rows = await db
      .selectFrom('deleted_resource')
      .select(['id', 'time_created'])
      .where((eb) =>
        eb(eb.refTuple('time_created', 'id'), '>', eb.tuple(last.time_created, last.id)),
      )
      .where('kind', '=', 'disk')
      .orderBy('time_created')
      .orderBy('id')
      .limit(PAGE)
      .execute()
    yield* await withReplicas(
      db,
      rows.map(({ id }) => id),
    )
    if (rows.length < PAGE) return
    last = rows.at(-1)!
    await yieldToEventLoop()
  }
}

/** Takes the bytes of deleted disks off the count of some physical disks. */
const freeOn =
  (physical: readonly CandidateDisk[]) =>
  ({ replicas }: Deleted): void => {
    for (const { physical_disk_id, size } of replicas) {
      const disk = physical.find(({ id }) => id === physical_disk_id)
      if (disk) disk.reclaimable -= size
    }
  }

/**
 * Releases deleted disks that can be restored until some replicas fit, in a transaction that runs
 * alone: the oldest disks whose bytes are in the way, of whichever silo. Bytes that are about to be
 * freed count as room. The caller tries again once they are gone: more may be needed, because one
 * transaction releases only so many.
 * @returns deleted disks whose bytes have to go first; none if there is free room, or no room at all
 */
export async function reclaim(writing: Writing, need: Need): Promise<string[]> {
  const { db } = writing
  const candidates = await candidateDisks(db)
  if (choosePlace(candidates, need) !== 'held') return []
  const free = freeOn(candidates)
  const freed = await beingFreed(db)
  for (const deleted of freed) free(deleted)

  const considered: Deleted[] = []
  let place = choosePlace(candidates, need)
  if (place === 'held') {
    for await (const deleted of restorable(db)) {
      considered.push(deleted)
      free(deleted)
      place = choosePlace(candidates, need)
      if (place !== 'held') break
    }
  }
  const inTheWay = typeof place === 'object' ? lacking(place, considered, need.size) : considered
  return release(writing, freed, inTheWay)
}

/**
 * As `reclaim`, for a disk that has grown: its replicas are counted, and stay where they are.
 * @returns deleted disks whose bytes have to go first; none if nothing is in the way
 */
export async function reclaimAround(writing: Writing, diskId: string): Promise<string[]> {
  const { db } = writing
  const place = await crowdedBy(db, diskId)
  if (place.length === 0) return []
  const free = freeOn(place)
  const isHere = ({ replicas }: Deleted): boolean =>
    replicas.some((replica) => place.some(({ id }) => id === replica.physical_disk_id))
  const freed = (await beingFreed(db)).filter(isHere)
  for (const deleted of freed) free(deleted)

  const considered: Deleted[] = []
  const isCrowded = () => place.some(({ size, used, reclaimable }) => used + reclaimable > size)
  if (isCrowded()) {
    for await (const deleted of restorable(db)) {
      considered.push(deleted)
      free(deleted)
      if (!isCrowded()) break
    }
  }
  return release(writing, freed, lacking(place, considered, 0))
}

/** Releases the first of some deleted disks, and names those whose bytes are on their way out. */
async function release(
  writing: Writing,
  freed: readonly Deleted[],
  inTheWay: readonly Deleted[],
): Promise<string[]> {
  const released = inTheWay.slice(0, RELEASED_MAX).map(({ id }) => id)
  for (const id of released) await releaseKept(writing, id)
  return [...freed.map(({ id }) => id), ...released].slice(0, 2 * RELEASED_MAX)
}

/**
 * The first of some deleted disks that have to go for room on chosen physical disks.
 * @param place physical disks that count all of the deleted disks as gone
 */
function lacking(
  place: readonly CandidateDisk[],
  considered: readonly Deleted[],
  size: number,
): Deleted[] {
  const lacks = new Map(
    place.map((disk) => [disk.id, size - (disk.size - disk.used - disk.reclaimable)]),
  )
  for (const { replicas } of considered) {
    for (const { physical_disk_id: id, size: bytes } of replicas) {
      if (lacks.has(id)) lacks.set(id, lacks.get(id)! + bytes)
    }
  }
  return considered.filter(({ replicas }) => {
    const helps = replicas.some(({ physical_disk_id: id }) => (lacks.get(id) ?? 0) > 0)
    if (!helps) return false
    for (const { physical_disk_id: id, size: bytes } of replicas) {
      if (lacks.has(id)) lacks.set(id, lacks.get(id)! - bytes)
    }
    return true
  })
}
