/** The part of an overview that counts what is there. */
import type { Wire } from '@steading/api'
import {
  diskStates,
  FLEET_ID,
  instanceStates,
  type PhysicalDiskCondition,
  physicalDiskConditions,
  type SledCondition,
  sledConditions,
} from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { poolUses } from '../../networking/ip-pools/utilization.ts'
import { inParts } from './projects.ts'

/** Number of rows with a word, such as their state. */
interface Count {
  counted: string
  word: string | null
  count: number | string
}

/** Counts of everything in some projects, each along an index that has all it needs. */
export const countsIn = (projectIds: readonly string[]) => {
  const ids = sql.join(projectIds)
  return sql<Count>`
    select 'instance' as counted, run_state as word, count(*) as count
      from instance where time_deleted is null and project_id in (${ids}) group by run_state
    union all select 'disk', state, count(*)
      from disk where time_deleted is null and project_id in (${ids}) group by state
    union all select 'disk_bytes', null, coalesce(sum(size), 0)
      from disk where time_deleted is null and project_id in (${ids})
    union all select 'snapshot', null, count(*)
      from snapshot where time_deleted is null and project_id in (${ids})
    union all select 'image', null, count(*)
      from image where time_deleted is null and project_id is not null and project_id in (${ids})
    union all select 'floating_ip', null, count(*)
      from external_ip where name is not null and project_id in (${ids})
    union all select 'external_ip', kind, count(*)
      from external_ip where project_id in (${ids}) and kind <> 'snat' group by kind
    union all select 'vpc', null, count(*)
      from vpc where time_deleted is null and project_id in (${ids})`
}

/** @param siloId the silo whose own images the caller may use */
export async function inventoryOfProjects(
  db: Db,
  projectIds: readonly string[],
  siloId: string | undefined,
): Promise<Wire.ProjectInventory> {
  const counts = (
    await inParts(projectIds, async (some) => (await countsIn(some).execute(db)).rows)
  ).flat()
  const sum = (counted: string, word?: string): number =>
    counts
      .filter((one) => one.counted === counted && (word === undefined || one.word === word))
      .reduce((all, { count }) => all + Number(count), 0)
  const { images } =
    siloId === undefined
      ? { images: 0 }
      : await countAll(db, {
          images: sql`image
            where silo_id = ${siloId} and project_id is null and time_deleted is null`,
        })
  return {
    instances: instanceStates.map((state) => ({ state, count: sum('instance', state) })),
    disks: diskStates.map((state) => ({ state, count: sum('disk', state) })),
    disk_bytes: sum('disk_bytes'),
    snapshots: sum('snapshot'),
    images: sum('image') + images,
    floating_ips: sum('floating_ip'),
    external_ips: sum('external_ip'),
    vpcs: sum('vpc'),
  }
}

/** Counts the rows of some queries, each by its name. */
async function countAll<Name extends string>(
  db: Db,
  queries: Record<Name, RawBuilder<unknown>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(queries) as Name[]
  const { rows } = await sql<Record<Name, number | string>>`select ${sql.join(
    names.map((name) => sql`(select count(*) from ${queries[name]}) as ${sql.ref(name)}`),
  )}`.execute(db)
  return Object.fromEntries(names.map((name) => [name, Number(rows[0]![name])])) as Record<
    Name,
    number
  >
}

export async function inventoryOfSilo(
  db: Db,
  siloId: string,
  projectIds: readonly string[],
): Promise<Wire.SiloInventory> {
  const counts = await countAll(db, {
    users: sql`silo_user where silo_id = ${siloId} and time_deleted is null`,
    groups: sql`silo_group where silo_id = ${siloId} and time_deleted is null`,
  })
  return { projects: projectIds.length, ...counts }
}

/** Pools shown. */
const POOLS = 20

const tally = <Word extends string>(words: readonly Word[], found: readonly Word[]) =>
  words.map((condition) => ({
    condition,
    count: found.filter((one) => one === condition).length,
  }))

const sledStates = (db: Db) =>
  db.selectFrom('sled').select(['policy', 'provision_policy', 'responding', 'updating']).execute()

export function sledConditionOf(
  row: Pick<Row<'sled'>, 'policy' | 'provision_policy' | 'responding' | 'updating'>,
): SledCondition {
  if (row.policy === 'expunged') return 'expunged'
  if (row.responding === 0) return 'not_responding'
  if (row.updating === 1) return 'updating'
  return row.provision_policy === 'provisionable' ? 'in_service' : 'not_provisionable'
}

export function physicalDiskConditionOf(
  row: Pick<Row<'physical_disk'>, 'policy' | 'healthy'>,
): PhysicalDiskCondition {
  if (row.policy === 'expunged') return 'expunged'
  return row.healthy === 1 ? 'in_service' : 'failed'
}

/** Conditions of the sleds that are still part of the fleet. */
export async function presentSleds(db: Db): Promise<SledCondition[]> {
  const conditions = (await sledStates(db)).map(sledConditionOf)
  return conditions.filter((condition) => condition !== 'expunged')
}

export async function inventoryOfFleet(db: Db): Promise<Wire.FleetInventory> {
  const sleds = await sledStates(db)
  const disks = await db.selectFrom('physical_disk').select(['policy', 'healthy']).execute()
  const pools = await rowsOf(db, 'system_ip_pool')
    .select(['its.id', 'its.name', 'its.ip_version', 'its.allocated'])
    .execute()
  const uses = await poolUses(db, pools)
  const ipPools = pools.map(({ id, name }) => {
    const { allocated, capacity } = uses.get(id)!
    return { id, name, used: Number(allocated), capacity: Number(capacity) }
  })
  const share = ({ used, capacity }: Wire.IpPoolUse) => (capacity === 0 ? 0 : used / capacity)
  const counts = await countAll(db, {
    silos: sql`silo where listed_in = ${FLEET_ID} and time_deleted is null`,
    racks: sql`rack`,
  })
  return {
    ...counts,
    sleds: tally(sledConditions, sleds.map(sledConditionOf)),
    physical_disks: tally(physicalDiskConditions, disks.map(physicalDiskConditionOf)),
    ip_pools: ipPools
      .toSorted((one, other) => share(other) - share(one) || (one.name < other.name ? -1 : 1))
      .slice(0, POOLS),
  }
}
