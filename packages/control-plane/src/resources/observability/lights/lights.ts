/** The lights of sleds or projects: the state of each instance and disk, up to a limit. */
import type { Wire } from '@steading/api'
import { DISK_LIGHTS_MAX, levelOf, LIGHTS_MAX } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { pick } from '../../../kernel/pick.ts'
import { physicalDiskConditionOf, sledConditionOf } from '../overview/inventory.ts'

/** A sled has lights for the instances placed on it and its disks, a project for all its instances. */
type Container = 'sled' | 'project'

/** Conditions of the partial indexes along which the instances of containers are read. */
const held = (container: Container, ids: readonly string[]) =>
  container === 'sled'
    ? sql`sled_id is not null and sled_id in (${sql.join(ids)})`
    : sql`time_deleted is null and project_id in (${sql.join(ids)})`

/** Number of instances of some sleds or projects, along an index that has all it needs. */
export const instancesPerUnit = (container: Container, ids: readonly string[]) => sql<{
  unit: string
  count: number | string
}>`select ${sql.ref(`${container}_id`)} as unit, count(*) as count
    from instance where ${held(container, ids)} group by ${sql.ref(`${container}_id`)}`

interface InstanceFound {
  unit: string
  id: string
  name: string
  state: Wire.InstanceState
  project: string
  silo: string
}

/**
 * Instances of some sleds or projects, the oldest first.
 * @param level the most of each
 */
export const instancesOfUnits = (container: Container, ids: readonly string[], level: number) => {
  const unit = sql.ref(`${container}_id`)
  return sql<InstanceFound>`select placed.unit, instance.id, instance.name, instance.run_state as state,
        project.name as project, silo.name as silo
      from (select id, ${unit} as unit, row_number() over (partition by ${unit} order by id) as place
        from instance where ${held(container, ids)}) as placed
      join instance on instance.id = placed.id
      join project on project.id = instance.project_id
      join silo on silo.id = project.silo_id
      where placed.place <= ${level}
      order by instance.time_created, instance.id`
}

/** Disks of some sleds that were not removed for good, by slot. */
const disksOfSleds = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('physical_disk')
    .select(['id', 'name', 'sled_id', 'policy', 'healthy'])
    .where('sled_id', 'in', ids)
    .where('state', '=', 'active')
    .orderBy('slot')
    .orderBy('id')
    .execute()

type Disk = Awaited<ReturnType<typeof disksOfSleds>>[number]

const toDiskLight = (row: Disk): Wire.PhysicalDiskLight => ({
  id: row.id,
  name: row.name,
  condition: physicalDiskConditionOf(row),
})

/** Instances of some sleds or projects by unit, and how many there are. */
async function instancesBy(db: Db, container: Container, ids: readonly string[], most: number) {
  const { rows: counted } = await instancesPerUnit(container, ids).execute(db)
  const counts = new Map(counted.map(({ unit, count }) => [unit, Number(count)]))
  const level = levelOf([...counts.values()], most)
  const { rows } = await instancesOfUnits(container, ids, level).execute(db)
  return { counts, instances: Map.groupBy(rows, ({ unit }) => unit) }
}

const toInstanceLight = (row: InstanceFound): Wire.InstanceLight =>
  pick(row, 'id', 'name', 'state', 'project', 'silo')

type Sled = Pick<
  Row<'sled'>,
  'id' | 'name' | 'rack_id' | 'policy' | 'provision_policy' | 'responding' | 'updating'
>

/**
 * @param sleds in the order of the answer
 * @param most instances of all of them
 */
export async function lightsOfSleds(
  db: Db,
  sleds: readonly Sled[],
  most = LIGHTS_MAX - DISK_LIGHTS_MAX,
): Promise<Wire.LightUnit[]> {
  if (sleds.length === 0) return []
  const ids = sleds.map(({ id }) => id)
  const found = await db
    .selectFrom('sled_maintenance')
    .select('sled_id')
    .where('sled_id', 'in', ids)
    .execute()
  const maintained = new Set(found.map(({ sled_id }) => sled_id))
  const disks = Map.groupBy(await disksOfSleds(db, ids), ({ sled_id }) => sled_id)
  const level = levelOf(
    [...disks.values()].map(({ length }) => length),
    DISK_LIGHTS_MAX,
  )
  const { counts, instances } = await instancesBy(db, 'sled', ids, most)
  return sleds.map((sled) => {
    const ofSled = { instances: instances.get(sled.id) ?? [], disks: disks.get(sled.id) ?? [] }
    const shown = ofSled.disks.slice(0, level)
    const all = (counts.get(sled.id) ?? 0) + ofSled.disks.length
    return {
      id: sled.id,
      name: sled.name,
      rack_id: sled.rack_id,
      condition: sledConditionOf(sled),
      maintenance: maintained.has(sled.id),
      instances: ofSled.instances.map(toInstanceLight),
      disks: shown.map(toDiskLight),
      more: all - ofSled.instances.length - shown.length,
    }
  })
}

/** @param projects in the order of the answer */
export async function lightsOfProjects(
  db: Db,
  projects: readonly Pick<Row<'project'>, 'id' | 'name'>[],
): Promise<Wire.LightUnit[]> {
  if (projects.length === 0) return []
  const ids = projects.map(({ id }) => id)
  const { counts, instances } = await instancesBy(db, 'project', ids, LIGHTS_MAX)
  return projects.map(({ id, name }) => {
    const shown = instances.get(id) ?? []
    return {
      id,
      name,
      rack_id: null,
      condition: null,
      maintenance: false,
      instances: shown.map(toInstanceLight),
      disks: [],
      more: (counts.get(id) ?? 0) - shown.length,
    }
  })
}
