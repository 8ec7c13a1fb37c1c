/** What deleting a project means for what is in it. */
import type { Wire } from '@steading/api'
import {
  deletionRefusals,
  deletionSentences as says,
  diskActions,
  diskObstacle,
  diskStates,
  instanceActions,
  instanceObstacle,
  instanceStates,
  floatingIpCannotDelete,
  type JobThingKind,
  type Obstacle,
  snapshotCannotDelete,
  snapshotObstacle,
  snapshotStates,
} from '@steading/api/rules'
import { sql } from 'kysely'
import { may } from '../authz/actor.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/database.ts'
import type { ProjectRow } from '../projects/lookup.ts'
import { imagesOf } from './around.ts'
import { groupOf } from './groups.ts'
import { type Its, rowsOf } from './things.ts'

/** States that nobody can do anything about. */
const stuckIn = <State extends string>(
  states: readonly State[],
  obstacle: (state: State) => Obstacle | undefined,
): State[] => states.filter((state) => obstacle(state)?.steps.length === 0)

const stuckInstances = stuckIn(instanceStates, instanceObstacle)
// Those that are attached go with their instance.
const stuckDisks = stuckIn(diskStates, diskObstacle).filter((state) => state !== 'attached')
const stuckSnapshots = stuckIn(snapshotStates, snapshotObstacle)

type Condition = ReturnType<typeof sql<boolean>>

/** What of a kind cannot go even if everything is tried, and why. */
interface Stuck {
  which: Condition
  reason: string
}

/** Kinds in the order in which they are told, each with what of it is stuck. */
function contentsOf(projectId: string): [JobThingKind, Stuck?][] {
  const instances = sql`select id from instance where project_id = ${projectId}
    and time_deleted is null and run_state in (${sql.join(stuckInstances)})`
  const subnets = sql`select subnet_id from network_interface where instance_id in (${instances})`
  const onStuck = sql<boolean>`its.instance_id is not null and its.instance_id in (${instances})`
  return [
    [
      'instance',
      {
        which: sql`its.run_state in (${sql.join(stuckInstances)})`,
        reason: instanceActions.delete.otherwise,
      },
    ],
    [
      'disk',
      {
        which: sql`(its.state in (${sql.join(stuckDisks)}) or (${onStuck}))`,
        reason: diskActions.delete.otherwise,
      },
    ],
    ['floating_ip', { which: sql`(${onStuck})`, reason: floatingIpCannotDelete('attached')! }],
    ['image'],
    [
      'snapshot',
      {
        which: sql`its.state in (${sql.join(stuckSnapshots)})`,
        reason: snapshotCannotDelete('creating')!,
      },
    ],
    ['vpc_subnet', { which: sql`its.id in (${subnets})`, reason: deletionRefusals.vpc_subnet }],
    [
      'vpc',
      {
        which: sql`its.id in (select vpc_id from vpc_subnet where id in (${subnets}))`,
        reason: deletionRefusals.vpc,
      },
    ],
    ['affinity_group'],
    ['anti_affinity_group'],
  ]
}

/** Things of a kind in a project; subnets by way of their VPC. */
function inside(db: Db, projectId: string, kind: JobThingKind): Its {
  const rows = rowsOf(db, kind)
  if (kind !== 'vpc_subnet') return rows.where('its.project_id', '=', projectId)
  return rows.where('its.vpc_id' as 'its.id', 'in', (eb) =>
    eb
      .selectFrom('vpc')
      .select('vpc.id')
      .where('project_id', '=', projectId)
      .where('time_deleted', 'is', null),
  )
}

/** Roles in a project, by the names of those who have them. */
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
  asker: Pick<Context, 'db' | 'actor'>,
  { id, silo_id }: ProjectRow,
): Promise<Wire.DeletionGroup[][]> {
  const { db, actor } = asker
  const can = may(actor, 'modify', 'project', { siloId: silo_id, projectId: id })
  const contents = contentsOf(id).flatMap(([kind, stuck]) => {
    const rows = inside(db, id, kind)
    const blocks = { relation: 'blocks', kind } as const
    const free = stuck ? rows.where(sql<boolean>`not ${stuck.which}`) : rows
    return [
      groupOf({ ...blocks, rows: free, reason: says.projectNotEmpty, canGo: can }),
      ...(stuck
        ? [groupOf({ ...blocks, rows: rows.where(stuck.which), reason: stuck.reason })]
        : []),
    ]
  })
  const snapshots = db.selectFrom('snapshot').select('snapshot.id').where('project_id', '=', id)
  return Promise.all([...contents, roles(db, id), imagesOf(asker, snapshots, can, id)])
}
