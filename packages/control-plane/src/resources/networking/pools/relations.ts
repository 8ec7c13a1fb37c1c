/** The fate of the parts of a pool, and of its links to silos, when it is deleted. */
import { DELETION_FIRST, type DeletionKind, deletionSentences } from '@steading/api/rules'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../../../kernel/db/schema.ts'
import type { DeclaredRelation, Groups } from '../../workspace/deletion/relations.ts'
import type { PoolKind } from './links.ts'

/** The links of pools to silos are deleted with the pools. */
export const linkedSilos = ({
  kind,
  links,
  column,
}: PoolKind<'system_ip_pool' | 'system_subnet_pool'>): DeclaredRelation => ({
  owner: kind,
  kind: 'silo_link',
  relation: 'goes',
  from: () => sql`(select * from silo where time_deleted is null)`,
  pairs: sql`select silo_id as id, ${sql.ref(column)} as owner_id from ${sql.table(links)}`,
  reason: deletionSentences.unlinked,
})

/**
 * The group of the ranges or members of a pool, in the order of their addresses.
 * @param nameOf a readable name for a row, made from its columns
 */
export async function partsOfPool<Row extends { id: string }>(
  kind: DeletionKind,
  rows: SelectQueryBuilder<Database, never, Row>,
  nameOf: (row: Row) => string,
): Groups {
  const all = await rows.execute()
  if (all.length === 0) return []
  const first = all
    .slice(0, DELETION_FIRST)
    .map((row) => ({ id: row.id, name: nameOf(row), detail: null }))
  const { partOfPool: reason } = deletionSentences
  return [{ relation: 'goes', kind, total: all.length, first, reason, steps: [], can_go: false }]
}
