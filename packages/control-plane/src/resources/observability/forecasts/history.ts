/**
 * The use of quotas and pools, day by day. Events do not contain it, and are kept only for a day;
 * so the present use is recorded once an hour, and the maximum of each day is kept.
 */
import {
  AHEAD_MS,
  type ForecastResource,
  type ForecastSubject,
  USE_KEPT_DAYS,
} from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { poolUses } from '../../networking/ip-pools/utilization.ts'
import { subnetPoolUses } from '../../networking/subnet-pools/utilization.ts'
import './table.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export const dayNumber = (time: Date | string): number =>
  Math.floor(new Date(time).getTime() / DAY_MS)
/** A moment of a day, RFC 3339; numbers may have fractions of a day. */
export const timeOfDay = (day: number): string => new Date(day * DAY_MS).toISOString()
const dayName = (day: number): string => timeOfDay(day).slice(0, 10)

/** Capacity and use of a resource. */
export interface Use {
  kind: ForecastSubject
  id: string
  name: string
  resource: ForecastResource
  used: number
  capacity: number
}

export const usesOfSilo = (silo: Row<'silo'>): Use[] =>
  (['cpus', 'memory', 'storage'] as const).map((resource) => ({
    kind: 'silo',
    id: silo.id,
    name: silo.name,
    resource,
    used: Number(silo[`used_${resource}`]),
    capacity: Number(silo[`quota_${resource}`]),
  }))

interface Pool {
  id: string
  name: string
}
const usesOfPools = (
  kind: ForecastSubject,
  pools: readonly Pool[],
  uses: Awaited<ReturnType<typeof poolUses>>,
): Use[] =>
  pools.map(({ id, name }) => {
    const { allocated, capacity } = uses.get(id)!
    return {
      kind,
      id,
      name,
      resource: 'addresses',
      used: Number(allocated),
      capacity: Number(capacity),
    }
  })

export const usesOfIpPools = async (db: Db, pools: Row<'system_ip_pool'>[]): Promise<Use[]> =>
  usesOfPools('system_ip_pool', pools, await poolUses(db, pools))
export const usesOfSubnetPools = async (
  db: Db,
  pools: Row<'system_subnet_pool'>[],
): Promise<Use[]> => usesOfPools('system_subnet_pool', pools, await subnetPoolUses(db, pools))

/** The use of every resource that can run out. */
export async function allUses(db: Db): Promise<Use[]> {
  const silos = await rowsOf(db, 'silo').selectAll('its').execute()
  const ipPools = await rowsOf(db, 'system_ip_pool').selectAll('its').execute()
  const subnetPools = await rowsOf(db, 'system_subnet_pool').selectAll('its').execute()
  return [
    ...silos.flatMap(usesOfSilo),
    ...(await usesOfIpPools(db, ipPools)),
    ...(await usesOfSubnetPools(db, subnetPools)),
  ]
}

/** Rows per insert. */
const PIECE = 100

/**
 * Records the present use, and deletes records that are too old. Two servers may do so at once. A
 * record for the coming day is from before the clock was set back, and is deleted; after a larger
 * difference, the present clock must be the wrong one.
 */
export async function noteUse(db: Db, now: Date): Promise<void> {
  const today = dayNumber(now)
  const day = dayName(today)
  const rows = (await allUses(db)).map(({ id, resource, used }) => ({
    thing_id: id,
    resource,
    day,
    used,
  }))
  // Servers lock the rows in the same order.
  rows.sort((a, b) => (a.thing_id + a.resource < b.thing_id + b.resource ? -1 : 1))
  for (let from = 0; from < rows.length; from += PIECE) {
    await db
      .insertInto('use_history')
      .values(rows.slice(from, from + PIECE))
      .onConflict((conflict) =>
        conflict.columns(['thing_id', 'resource', 'day']).doUpdateSet({
          used: sql`case when excluded.used > use_history.used then excluded.used
            else use_history.used end`,
        }),
      )
      .execute()
  }
  // Clocks of servers differ a little.
  const later = dayNumber(new Date(now.getTime() + AHEAD_MS)) + 1
  await db
    .deleteFrom('use_history')
    .where((eb) =>
      eb.or([eb('day', '<', dayName(today - USE_KEPT_DAYS)), eb('day', '=', dayName(later))]),
    )
    .execute()
}

/**
 * Reads the history of the given resources, or of all.
 * @returns a function that finds the days of a use
 */
export async function readHistory(
  db: Db,
  ids?: readonly string[],
): Promise<(use: Pick<Use, 'id' | 'resource'>) => { day: number; used: number }[]> {
  const rows = await db
    .selectFrom('use_history')
    .selectAll()
    .$if(ids !== undefined, (query) => query.where('thing_id', 'in', [...ids!]))
    .orderBy('thing_id')
    .orderBy('resource')
    .orderBy('day')
    .execute()
  const found = Map.groupBy(rows, ({ thing_id, resource }) => `${thing_id} ${resource}`)
  return ({ id, resource }) =>
    (found.get(`${id} ${resource}`) ?? []).map(({ day, used }) => ({ day: dayNumber(day), used }))
}

/** The days of a use up to the present one, whose use is known. */
export function upToNow(
  days: { day: number; used: number }[],
  used: number,
  now: Date,
): { day: number; used: number }[] {
  const today = dayNumber(now)
  const before = days.filter(({ day }) => day < today && day >= today - USE_KEPT_DAYS)
  const noted = days.find(({ day }) => day === today)?.used ?? 0
  return [...before, { day: today, used: Math.max(noted, used) }]
}
