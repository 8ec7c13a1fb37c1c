import type { Wire } from '@steading/api'
import { DELETION_FIRST, type DeletionKind, type DeletionRelation } from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Its } from './things.ts'

/** Things that have to do with a deletion in one way. */
interface Related {
  relation: DeletionRelation
  kind: DeletionKind
  /** Which; nothing is selected yet. */
  rows: Its
  reason: string
  canGo?: boolean
  /** Where their names are, if not in `name`. */
  name?: string
  detail?: RawBuilder<string | null>
}

export async function countOf(rows: Its): Promise<number> {
  const { total } = (await rows
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()) as { total: number }
  return Number(total)
}

/**
 * The group of some things: how many they are, and the first by name. Nothing if there are none.
 * @param total how many, where that is known
 */
export async function groupOf(
  {
    relation,
    kind,
    rows,
    reason,
    canGo = false,
    name = 'its.name',
    detail = sql<null>`null`,
  }: Related,
  total?: number,
): Promise<Wire.DeletionGroup[]> {
  total ??= await countOf(rows)
  if (total === 0) return []
  const first = (await rows
    .select(['its.id', sql<string>`${sql.ref(name)}`.as('name'), detail.as('detail')])
    .orderBy(name as 'its.name')
    .limit(DELETION_FIRST)
    .execute()) as Wire.DeletionThing[]
  return [{ relation, kind, total, first, reason, can_go: canGo }]
}

/** The group of a single thing, which is at hand. */
export const groupOfOne = (
  relation: DeletionRelation,
  kind: DeletionKind,
  { id, name }: { id: string; name: string },
  reason: string,
  canGo = false,
  detail: string | null = null,
): Wire.DeletionGroup => ({
  relation,
  kind,
  total: 1,
  first: [{ id, name, detail }],
  reason,
  can_go: canGo,
})
