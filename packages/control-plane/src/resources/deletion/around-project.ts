/** Describes what the deletion of a project does to its contents. */
import type { Wire } from '@steading/api'
import {
  deletionRule,
  deletionSentences as says,
  diskActions,
  diskStates,
  instanceActions,
  instanceStates,
  floatingIpCannotDelete,
  type JobThingKind,
  kinds,
  snapshotCannotDelete,
  snapshotStates,
} from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import { may } from '../../kernel/authz/actor.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Row } from '../../kernel/kinds.ts'
import type { Work } from '../../kernel/work.ts'
import { imagesOf } from './around.ts'
import { countOf, groupOf } from './groups.ts'
import { type Its, thingRows } from './things.ts'

/** States of a kind in which no step can lead to its deletion. */
const stuckIn = (kind: JobThingKind, states: readonly string[]): string[] =>
  states.filter((state) => deletionRule(kind).obstacle?.({ state })?.steps.length === 0)

const stuckInstances = stuckIn('instance', instanceStates)
// Attached disks are deleted after their instance.
const stuckDisks = stuckIn('disk', diskStates).filter((state) => state !== 'attached')
const stuckSnapshots = stuckIn('snapshot', snapshotStates)

/** The things of a kind that cannot be deleted even with a chain of steps, and why. */
interface Stuck {
  /** A query of their ids, which reads few rows by an index. */
  ids: RawBuilder<unknown>
  reason: string
}

/** Kinds in the order of the answer, each with its things that cannot be deleted. */
function contentsOf(projectId: string): [JobThingKind, Stuck?][] {
  const inState = (table: string, column: string, states: string[]) =>
    sql`select id from ${sql.table(table)} where project_id = ${projectId}
      and time_deleted is null and ${sql.ref(column)} in (${sql.join(states)})`
  const instances = inState('instance', 'run_state', stuckInstances)
  const subnets = sql`select subnet_id from network_interface where instance_id in (${instances})`
  return [
    ['instance', { ids: instances, reason: instanceActions.delete.otherwise }],
    [
      'disk',
      {
        ids: sql`${inState('disk', 'state', stuckDisks)} union all
          select id from disk where instance_id in (${instances}) and time_deleted is null`,
        reason: diskActions.delete.otherwise,
      },
    ],
    [
      'floating_ip',
      {
        ids: sql`select id from external_ip where instance_id in (${instances})`,
        reason: floatingIpCannotDelete('attached')!,
      },
    ],
    ['image'],
    [
      'snapshot',
      {
        ids: inState('snapshot', 'state', stuckSnapshots),
        reason: snapshotCannotDelete('creating')!,
      },
    ],
    ['vpc_subnet', { ids: subnets, reason: kinds.vpc_subnet.deletion.refusal }],
    [
      'vpc',
      {
        ids: sql`select vpc_id from vpc_subnet where id in (${subnets})`,
        reason: kinds.vpc.deletion.refusal,
      },
    ],
    ['affinity_group'],
    ['anti_affinity_group'],
  ]
}

/** Things of a kind in a project; subnets are found through their VPC. */
function inside(db: Db, projectId: string, kind: JobThingKind): Its {
  const rows = thingRows(db, kind)
  if (kind !== 'vpc_subnet') return rows.where('its.project_id', '=', projectId)
  return rows.where('its.vpc_id' as 'its.id', 'in', (eb) =>
    eb
      .selectFrom('vpc')
      .select('vpc.id')
      .where('project_id', '=', projectId)
      .where('time_deleted', 'is', null),
  )
}

/** Roles in a project, by the names of the users and groups that have them. */
function roles(db: Db, projectId: string): Promise<Wire.DeletionGroup[]> {
  const named = (table: 'silo_user' | 'silo_group') =>
    db
      .selectFrom('role_assignment as role')
      .innerJoin(`${table as 'silo_user'} as holder`, 'holder.id', 'role.identity_id')
      .select(['holder.id', 'holder.display_name as name', 'role.role_name'])
      .where('role.resource_type', '=', 'project')
      .where('role.resource_id', '=', projectId)
      .where('holder.time_deleted', 'is', null)
  return groupOf({
    relation: 'goes',
    kind: 'role',
    rows: db.selectFrom(
      named('silo_user').unionAll(named('silo_group')).as('its'),
    ) as unknown as Its,
    reason: says.role,
    detail: sql`its.role_name`,
  })
}

export async function aroundProject(
  asker: Pick<Work, 'db' | 'actor'>,
  { id, silo_id }: Row<'project'>,
): Promise<Wire.DeletionGroup[][]> {
  const { db, actor } = asker
  const can = may(actor, 'modify', 'project', { siloId: silo_id, projectId: id })
  const contents = contentsOf(id).map(async ([kind, stuck]) => {
    const rows = inside(db, id, kind)
    const total = await countOf(rows)
    const blocks = { relation: 'blocks', kind } as const
    const free = { ...blocks, reason: says.projectNotEmpty, canGo: can }
    const kept = stuck
      ? await groupOf({
          ...blocks,
          rows: thingRows(db, kind).where(sql<boolean>`its.id in (${stuck.ids})`),
          reason: stuck.reason,
        })
      : []
    const [group] = kept
    if (!stuck || !group) return groupOf({ ...free, rows }, total)
    const others = rows.where(sql<boolean>`its.id not in (${stuck.ids})`)
    return [...(await groupOf({ ...free, rows: others }, total - group.total)), ...kept]
  })
  const snapshots = db.selectFrom('snapshot').select('snapshot.id').where('project_id', '=', id)
  return Promise.all([...contents, roles(db, id), imagesOf(asker, snapshots, can, id)])
}
