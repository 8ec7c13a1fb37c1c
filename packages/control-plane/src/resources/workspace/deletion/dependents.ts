import type { JobResourceKind } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { idsIn } from '../../../kernel/db/rows.ts'
import { relationTo } from './relations.ts'
import { pairsOf, type DeletableRow, deletableRowsBy } from './deletable-rows.ts'

/** A resource that can be deleted along with a target, and the single such target. */
export interface Dependent {
  thing: DeletableRow
  owner: DeletableRow
}

/** Resources of a kind that can be deleted along with targets of one kind. */
export async function dependentsOf(
  db: Db,
  kind: JobResourceKind,
  targets: readonly DeletableRow[],
): Promise<Dependent[]> {
  const [first] = targets
  if (!first) return []
  const { pairs } = relationTo(first.kind, kind)
  const found = await pairsOf(db, pairs, 'owner_id', idsIn(targets))
  const byId = new Map(targets.map((target) => [target.id, target]))
  const owners = new Map(found.map(({ id, owner_id }) => [id, owner_id]))
  const things = await deletableRowsBy(db, kind, 'id', owners.keys())
  return things.map((thing) => ({ thing, owner: byId.get(owners.get(thing.id)!)! }))
}
