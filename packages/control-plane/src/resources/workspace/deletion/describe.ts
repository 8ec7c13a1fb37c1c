/** Describes the effects of deleting one resource on others. */
import type { Wire } from '@steading/api'
import {
  deletionKinds,
  deletionOrder,
  deletionRule,
  deletionSentences,
  cascadesTo,
  isRestorable,
} from '@steading/api/rules'
import type { JobTargetKind, JobResourceKind } from '@steading/api/rules'
import { may } from '../../../kernel/authz/actor.ts'
import { restorableHours } from '../deleted-resources/policy.ts'
import { blockingContents, kindsInside } from './contents.ts'
import { groupOf, groupOfOne } from './groups.ts'
import { type Reader, type Groups, partsOf, type Relation, relationsTo } from './relations.ts'
import { isPermitted } from './access-conditions.ts'
import {
  accessOf,
  holding,
  type DeletableInstance,
  scopeOf,
  type DeletableRow,
  deletableRowsBy,
} from './deletable-rows.ts'

/** Whether plans of deletions support a kind. */
const isPlanned = (kind: string): kind is JobResourceKind =>
  deletionOrder.includes(kind as JobResourceKind)

/** The obstacle to deleting a resource now: its state, or the instance it is attached to. */
async function inWay({ db }: Reader, thing: DeletableRow, can: boolean): Groups {
  const [holder] = thing.instance_id
    ? ((await deletableRowsBy(db, 'instance', 'id', [thing.instance_id])) as DeletableInstance[])
    : []
  const obstacle = deletionRule(thing.kind).obstacle?.({
    state: thing.state,
    holder: holder && holding(holder, thing),
  })
  if (!obstacle) return []
  const { reason, explanation = reason, steps } = obstacle
  const blocking = (obstacle.held && holder) || thing
  const { kind, state } = blocking
  return [groupOfOne('blocks', kind, blocking, explanation, can && steps.length > 0, state, steps)]
}

/** The groups of related resources: those that the caller may delete along, and others. */
async function related(
  reader: Reader,
  owner: DeletableRow,
  relation: Relation,
  can: boolean,
): Groups {
  const { db, actor } = reader
  const { kind, elsewhere, rows } = relation
  const its = rows(db, owner.id)
  const mayGo = can && isPlanned(kind) && cascadesTo(owner.kind as JobTargetKind, kind)
  if (!isPlanned(kind) || !elsewhere) {
    const canGo = mayGo && may(actor, 'modify', kind, scopeOf(actor, owner))
    return groupOf({ ...relation, rows: its, canGo })
  }
  const seen = its.where(isPermitted(actor, 'read', kind))
  if (!mayGo) return groupOf({ ...relation, rows: seen })
  const mine = isPermitted(actor, 'modify', kind)
  return [
    ...(await groupOf({ ...relation, rows: seen.where(mine), canGo: true })),
    ...(await groupOf({ ...relation, rows: seen.where((eb) => eb.not(mine(eb))) })),
  ]
}

/** Parts of a resource come first, then groups that are not resources. */
function kindRank({ kind }: Wire.DeletionGroup): number {
  if (!isPlanned(kind)) return (deletionKinds as readonly string[]).indexOf(kind)
  return deletionRule(kind).goesWith ? -1 : deletionKinds.length + deletionOrder.indexOf(kind)
}

const relationRank = { blocks: 0, goes: 1, stays: 2 }

const inOrder = (groups: Wire.DeletionGroup[]): Wire.DeletionGroup[] =>
  groups.toSorted(
    (a, b) => relationRank[a.relation] - relationRank[b.relation] || kindRank(a) - kindRank(b),
  )

/** The groups of a deletion whose data is kept for some time, if the policy of the silo keeps it. */
async function withKeptData(
  { db, actor }: Reader,
  { kind, project_id }: DeletableRow,
  groups: Wire.DeletionGroup[],
): Promise<Wire.DeletionGroup[]> {
  const isKept =
    isRestorable(kind) && project_id !== null && (await restorableHours(db, actor.siloId)) > 0
  return isKept
    ? groups.map((group) =>
        group.reason === deletionSentences.data
          ? { ...group, reason: deletionSentences.dataForNow }
          : group,
      )
    : groups
}

/** Describes the deletion of a resource that the caller may read. */
export async function describeDeletion(
  reader: Reader,
  kind: JobTargetKind,
  { id }: { id: string },
): Promise<Wire.Deletion> {
  const [thing] = await deletableRowsBy(reader.db, kind, 'id', [id])
  // It was just deleted.
  if (!thing) return { groups: [] }
  const can = may(reader.actor, 'modify', accessOf(thing), scopeOf(reader.actor, thing))
  const groups = await Promise.all([
    inWay(reader, thing, can),
    ...relationsTo(kind).map((relation) => related(reader, thing, relation, can)),
    ...kindsInside(kind).map((inner) => blockingContents(reader, thing, inner, can)),
    partsOf(reader, thing),
  ])
  return { groups: await withKeptData(reader, thing, inOrder(groups.flat())) }
}
