/** What a project contains, which has to be deleted before it. */
import {
  contentsOf as contentsOfKind,
  deletionRule,
  deletionSentences,
  jobThingKinds,
  type InstanceState,
  type JobThingKind,
  projectContents,
} from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { storedKind } from '../../../kernel/kinds.ts'
import { countOf, groupOf } from '../../workspace/deletion/groups.ts'
import { type Asker, type Groups, tell } from '../../workspace/deletion/relations.ts'
import { type Its, type Thing, thingRows } from '../../workspace/deletion/things.ts'

/** Kinds that are in a project through its VPCs. */
const vpcContents = contentsOfKind('vpc')

/** States of a kind in which no step can lead to its deletion, even once its instance is deleted. */
const stuckStates = (kind: JobThingKind): string[] => {
  const { states = [], obstacle } = deletionRule(kind)
  return states.filter((state) => obstacle?.({ state, released: true })?.steps.length === 0)
}

/** Why the things of a kind that cannot be deleted cannot. */
function stuckReason(kind: JobThingKind): string | undefined {
  const { obstacle, refusal } = deletionRule(kind)
  const [state = null] = stuckStates(kind)
  const holder = { state: stuckStates('instance')[0] as InstanceState }
  return obstacle?.({ state, holder })?.reason ?? refusal
}

/**
 * A query of the ids of the things of a kind that cannot be deleted even with a chain of steps; it
 * reads few rows, by an index.
 */
function stuckIn(projectId: string, kind: JobThingKind): RawBuilder<unknown> | undefined {
  const { table, live, deletion } = storedKind(kind)
  const { columns, keptBy } = deletion!
  const ids = (condition: RawBuilder<unknown>) =>
    sql`select id from ${sql.table(table)} where ${condition} and ${sql.raw(live)}`
  const states = stuckStates(kind)
  const instances = () => stuckIn(projectId, 'instance')!
  const queries = [
    ...(states.length > 0
      ? [
          ids(sql`project_id = ${projectId} and
            ${sql.ref(columns.state!)} in (${sql.join(states)})`),
        ]
      : []),
    ...(columns.instance_id ? [ids(sql`${sql.ref(columns.instance_id)} in (${instances()})`)] : []),
    ...(keptBy
      ? [sql`select id from (${keptBy}) as pair where instance_id in (${instances()})`]
      : []),
    ...(kind === 'vpc'
      ? vpcContents.map((inside) => {
          const stuck = stuckIn(projectId, inside)
          return sql`select vpc_id from ${sql.table(storedKind(inside).table)} where id in (${stuck})`
        })
      : []),
  ]
  return queries.length > 0 ? sql`${sql.join(queries, sql` union all `)}` : undefined
}

/** Things of a kind in a project; what is in a VPC is found through that. */
function inside(db: Db, projectId: string, kind: JobThingKind): Its {
  const rows = thingRows(db, kind)
  if (!vpcContents.includes(kind)) return rows.where('its.project_id', '=', projectId)
  return rows.where('its.vpc_id' as 'its.id', 'in', (eb) =>
    eb
      .selectFrom('vpc')
      .select('vpc.id')
      .where('project_id', '=', projectId)
      .where('time_deleted', 'is', null),
  )
}

/** The things of a kind: those that can be deleted with the project, and those that cannot. */
async function contentsOf({ db }: Asker, { id }: Thing, kind: JobThingKind, can: boolean): Groups {
  const rows = inside(db, id, kind)
  const total = await countOf(rows)
  const blocks = { relation: 'blocks', kind } as const
  const free = { ...blocks, reason: deletionSentences.projectNotEmpty, canGo: can }
  const stuck = stuckIn(id, kind)
  const kept = stuck
    ? await groupOf({
        ...blocks,
        rows: thingRows(db, kind).where(sql<boolean>`its.id in (${stuck})`),
        reason: stuckReason(kind)!,
      })
    : []
  const [group] = kept
  if (!stuck || !group) return groupOf({ ...free, rows }, total)
  const others = rows.where(sql<boolean>`its.id not in (${stuck})`)
  return [...(await groupOf({ ...free, rows: others }, total - group.total)), ...kept]
}

const kindsInside = jobThingKinds.filter(
  (kind) => projectContents.includes(kind) || vpcContents.includes(kind),
)
for (const kind of kindsInside) {
  tell('project', (asker, project, can) => contentsOf(asker, project, kind, can))
}
