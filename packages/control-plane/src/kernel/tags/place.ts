import type { ListedKind } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { tablesAbout } from '../db/tables.ts'
import { parentColumn } from '../kinds.ts'
import type { Located } from '../lookup.ts'
import type { TagTable } from './table.ts'

/** Where a tagged resource is. */
export type TagPlace = Pick<TagTable, 'kind' | 'parent_id' | 'silo_id' | 'project_id'>

export function placeOf(kind: ListedKind, { row, scope }: Located): TagPlace {
  return {
    kind,
    parent_id: row[parentColumn(kind)] as string,
    silo_id: scope.userId ? null : (scope.siloId ?? null),
    project_id: scope.projectId ?? null,
  }
}

/** Moves what is known about a resource that becomes one of another kind, in another parent. */
export async function moveAbout(db: Db, id: string, place: TagPlace): Promise<void> {
  for (const { table, column } of tablesAbout()) {
    await sql`update ${sql.table(table)} set kind = ${place.kind}
      where ${sql.ref(column)} = ${id}`.execute(db)
  }
  await db.updateTable('tag').set(place).where('thing_id', '=', id).execute()
}
