import type { Wire } from '@steading/api'
import {
  DELETION_FIRST,
  type DeletionKind,
  type DeletionRelation,
  type JobStep,
} from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import type { RelatedRows } from './deletable-rows.ts'

/** Resources with the same relation to a deletion. */
interface Related {
  relation: DeletionRelation
  kind: DeletionKind
  /** The query of the resources, with nothing selected. */
  rows: RelatedRows
  reason: string
  canGo?: boolean
  steps?: readonly JobStep[]
  /** The column of their names, if not `name`. */
  name?: string
  detail?: RawBuilder<string | null>
}

export async function countOf(rows: RelatedRows): Promise<number> {
  const { total } = await rows
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/**
 * The group of some resources: their number, and the first ones by name. Empty if there are none.
 * @param total their number, if already known
 */
export async function groupOf(
  {
    relation,
    kind,
    rows,
    reason,
    canGo = false,
    steps = [],
    name = 'its.name',
    detail = sql<null>`null`,
  }: Related,
  total?: number,
): Promise<Wire.DeletionGroup[]> {
  total ??= await countOf(rows)
  if (total === 0) return []
  const first = await rows
    .select(['its.id', sql.ref<string>(name).as('name'), detail.as('detail')])
    .orderBy(sql.ref(name))
    .limit(DELETION_FIRST)
    .execute()
  return [{ relation, kind, total, first, reason, steps: [...steps], can_go: canGo }]
}

/** The group of a single resource whose row has been read. */
export const groupOfOne = (
  relation: DeletionRelation,
  kind: DeletionKind,
  { id, name }: { id: string; name: string },
  reason: string,
  canGo = false,
  detail: string | null = null,
  steps: readonly JobStep[] = [],
): Wire.DeletionGroup => ({
  relation,
  kind,
  total: 1,
  first: [{ id, name, detail }],
  reason,
  steps: [...steps],
  can_go: canGo,
})
