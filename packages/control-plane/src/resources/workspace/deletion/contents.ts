/**
 * The contents of a project, a VPC or a subnet, which block its deletion: the resources that a
 * chain of steps deletes before it, and those that nothing can delete. A plan decides this resource
 * by resource; here the same declarations become SQL conditions, so that many resources are counted
 * by indexes.
 */
import type { Wire } from '@steading/api'
import {
  contentsOf,
  deletionRule,
  deletionSentences,
  type DeletionStep,
  type InstanceState,
  instanceStates,
  jobResourceKinds,
  type JobResourceKind,
  type Obstacle,
} from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import { may } from '../../../kernel/authz/actor.ts'
import { storedKind } from '../../../kernel/kinds.ts'
import { stepForbidden } from '../../../kernel/step-permission.ts'
import { countOf, groupOf } from './groups.ts'
import type { Reader, Groups } from './relations.ts'
import {
  columnOf,
  insideOf,
  isOfInstance,
  isDeletable,
  scopeOf,
  type DeletableRow,
  deletableRows,
} from './deletable-rows.ts'

/** All kinds whose resources are inside of a container, at any depth. */
function allInside(container: JobResourceKind): Set<JobResourceKind> {
  const all = new Set<JobResourceKind>()
  for (const kind of contentsOf(container)) {
    all.add(kind)
    for (const deeper of allInside(kind)) all.add(deeper)
  }
  return all
}

/**
 * The kinds inside of a container, except those that are deleted with other resources inside of it.
 */
export function kindsInside(container: JobResourceKind): JobResourceKind[] {
  const all = allInside(container)
  return jobResourceKinds.filter(
    (kind) => all.has(kind) && !all.has(deletionRule(kind).goesWith as JobResourceKind),
  )
}

/** Whether the container also has the instances to which its contents are attached. */
const takesInstances = (container: DeletableRow): boolean =>
  contentsOf(container.kind).includes('instance')

/** True of the rows of a kind inside of a container, directly or through a nested one. */
function isInside(
  container: DeletableRow,
  kind: JobResourceKind,
  row: string,
): RawBuilder<boolean> {
  const column = (parent: JobResourceKind) => sql.ref(`${row}.${columnOf(kind, insideOf(parent))}`)
  if (contentsOf(container.kind).includes(kind)) {
    return sql`${column(container.kind)} = ${container.id}`
  }
  const parent = kindsInside(container.kind).find((one) => contentsOf(one).includes(kind))!
  return sql`${column(parent)} in (${idsOf(parent, isInside(container, parent, parent))})`
}

/**
 * SQL of the ids of the resources of a kind that meet a condition on the table, aliased as the
 * kind.
 */
const idsOf = (kind: JobResourceKind, condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select id from ${sql.table(storedKind(kind).table)} as ${sql.table(kind)}
  where ${condition} and ${isDeletable(kind)}`

const isStuck = (obstacle: Obstacle | undefined) => obstacle?.steps.length === 0
const isFreed = (obstacle: Obstacle | undefined): obstacle is Obstacle =>
  obstacle !== undefined && !isStuck(obstacle)

/** States of a kind that rule out its deletion, even once its instance is deleted. */
const stuckStates = (kind: JobResourceKind): string[] => {
  const { states = [], obstacle } = deletionRule(kind)
  return states.filter((state) => isStuck(obstacle?.({ state, released: true })))
}

/** The obstacle of resources of a kind while their instance is in a state. */
const heldIn = (kind: JobResourceKind, state: InstanceState): Obstacle | undefined =>
  deletionRule(kind).obstacle?.({ state: null, holder: { state } })

/** SQL of the instances whose state causes a matching obstacle for resources of a kind. */
const instancesIn = (
  kind: JobResourceKind,
  wanted: (obstacle: Obstacle | undefined) => boolean,
): RawBuilder<unknown> => {
  const states = instanceStates.filter((state) => wanted(heldIn(kind, state)))
  if (states.length === 0) return sql`select id from instance where false`
  return sql`select id from instance where run_state in (${sql.join(states)})`
}

/** The reason why stuck resources of a kind cannot be deleted. */
function stuckReason(kind: JobResourceKind): string {
  const { obstacle, refusal } = deletionRule(kind)
  const [state = null] = stuckStates(kind)
  const holder = { state: stuckStates('instance')[0] as InstanceState }
  return (obstacle?.({ state, holder })?.reason ?? refusal)!
}

/** Resources that no chain of steps can delete, with the reason. */
interface Stuck {
  reason: string
  /** SQL of a query for their ids, which reads few rows, by an index. */
  ids: RawBuilder<unknown>
}

const union = (queries: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql`${sql.join(queries, sql` union all `)}`

/** The resources of a kind in a container that no chain of steps can delete. */
function stuckIn(container: DeletableRow, kind: JobResourceKind): Stuck[] {
  const { columns, keptBy, earlier } = storedKind(kind).deletion!
  const own = (condition: RawBuilder<unknown>) =>
    idsOf(kind, sql`${isInside(container, kind, kind)} and ${condition}`)
  const held = columns.instance_id && sql.ref(`${kind}.${columns.instance_id}`)
  const states = stuckStates(kind)
  const queries: RawBuilder<unknown>[] = []
  if (states.length > 0) {
    queries.push(own(sql`${sql.ref(`${kind}.${columns.state}`)} in (${sql.join(states)})`))
  }
  if (takesInstances(container)) {
    const instances = kind === 'instance' ? undefined : idsStuckIn(container, 'instance')
    if (held) queries.push(idsOf(kind, sql`${held} in (${instances})`))
    if (keptBy) {
      queries.push(sql`select id from (${keptBy}) as pair where instance_id in (${instances})`)
    }
  } else if (held) {
    queries.push(own(sql`${held} in (${instancesIn(kind, isStuck)})`))
  }
  const inside = kindsInside(container.kind)
  for (const inner of contentsOf(kind).filter((one) => inside.includes(one))) {
    const ids = idsStuckIn(container, inner)
    if (!ids) continue
    const column = sql.ref(columnOf(inner, insideOf(kind)))
    queries.push(sql`
      select ${column} as id from ${sql.table(storedKind(inner).table)} where id in (${ids})`)
  }
  const stuck = queries.length > 0 ? [{ reason: stuckReason(kind), ids: union(queries) }] : []
  if (!earlier || takesInstances(container)) return stuck
  const others = deletionRule(kind).obstacle!({ state: null, othersStay: true })!
  const ids = sql`select later_id as id from (${earlier}) as pair
    where later_id in (${own(sql`true`)}) and id not in (${own(sql`true`)})`
  return [...stuck, { reason: others.reason, ids }]
}

function idsStuckIn(
  container: DeletableRow,
  kind: JobResourceKind,
): RawBuilder<unknown> | undefined {
  const stuck = stuckIn(container, kind)
  return stuck.length > 0 ? union(stuck.map(({ ids }) => ids)) : undefined
}

/** The reason why deletable resources in a container block it. */
function freeReason({ kind: container }: DeletableRow, kind: JobResourceKind): string {
  if (container === 'project') return deletionSentences.projectNotEmpty
  const parent = jobResourceKinds.find(
    (one) => one !== 'project' && contentsOf(one).includes(kind),
  )!
  return storedKind(kind).deletion!.inWay ?? deletionRule(parent).refusal!
}

/** The obstacle of resources in a container whose instances stay and can be stopped. */
function heldRows(container: DeletableRow, kind: JobResourceKind) {
  const column = storedKind(kind).deletion!.columns.instance_id
  if (!column || takesInstances(container)) return undefined
  const obstacle = instanceStates.map((state) => heldIn(kind, state)).find(isFreed)
  const isHeld = sql<boolean>`
    ${sql.ref(`its.${column}`)} in (${instancesIn(kind, isFreed)})`
  return obstacle && { obstacle, isHeld }
}

/**
 * The groups of the resources of a kind in a container: those that can be deleted before it, those
 * whose instances have to be stopped for that, and those that nothing can delete.
 * @param can whether the caller may delete the container
 */
export async function blockingContents(
  { db, actor }: Reader,
  container: DeletableRow,
  kind: JobResourceKind,
  can: boolean,
): Groups {
  const { detail } = storedKind(kind).deletion!
  const scope = scopeOf(actor, container)
  const mayGo = can && may(actor, 'modify', kind, scope)
  const shown = detail && container.kind !== 'project' ? { detail } : {}
  const blocks = { relation: 'blocks', kind, ...shown } as const
  const inside = deletableRows(db, kind).where(isInside(container, kind, 'its'))
  const total = await countOf(inside)
  if (total === 0) return []

  const others: Wire.DeletionGroup[] = []
  let isOther = sql<boolean>`false`
  for (const { reason, ids } of stuckIn(container, kind)) {
    const isAmong = sql<boolean>`its.id in (${ids})`
    const rows = deletableRows(db, kind).where(sql<boolean>`${isAmong} and not (${isOther})`)
    others.push(...(await groupOf({ ...blocks, rows, reason })))
    isOther = sql<boolean>`(${isOther} or ${isAmong})`
  }
  const held = heldRows(container, kind)
  if (held) {
    const { reason, steps } = held.obstacle
    const mayTake = (step: DeletionStep) =>
      stepForbidden(actor, step, isOfInstance(step) ? 'instance' : kind, scope) === undefined
    const canGo = mayGo && steps.every(mayTake)
    const rows = inside.where(sql<boolean>`${held.isHeld} and not (${isOther})`)
    others.unshift(...(await groupOf({ ...blocks, rows, reason, steps, canGo })))
    isOther = sql<boolean>`(${isOther} or ${held.isHeld})`
  }
  const free = Math.max(
    0,
    others.reduce((left, group) => left - group.total, total),
  )
  const rows = others.length > 0 ? inside.where(sql<boolean>`not (${isOther})`) : inside
  const reason = freeReason(container, kind)
  return [...(await groupOf({ ...blocks, rows, reason, canGo: mayGo }, free)), ...others]
}
