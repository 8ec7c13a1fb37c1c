import { type RestorableKind, restorableUntil } from '@steading/api/rules'
import { sql } from 'kysely'
import { type AnyRow, anyTable } from '../../../kernel/db/any-table.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import { insideColumn, ownerColumn, storedKind } from '../../../kernel/kinds.ts'
import { named } from '../../../kernel/search/name-key.ts'
import type { Work } from '../../../kernel/work.ts'
import { findRow } from '../../../kernel/db/rows.ts'
import { capture, differences } from './captured.ts'
import { restorableHours } from './policy.ts'
import { changedColumns, storedRow } from './table.ts'

export type Deleting = Pick<Work, 'db' | 'now' | 'emit' | 'actor' | 'cause'>

/** Rows per statement. */
const CHUNK = 100

/** The project of a resource, and the names of its containers within it. */
async function placeOf(db: Db, kind: RestorableKind, id: string) {
  return db
    .selectFrom(anyTable(storedKind(kind).table).as('its'))
    .select([ownerColumn(kind, 'its').as('project_id'), insideColumn(kind, 'its').as('inside')])
    .where('its.id', '=', id)
    .executeTakeFirstOrThrow() as Promise<{ project_id: string | null; inside: string }>
}

/**
 * Deletes a resource for a user. While the policy of the silo keeps deleted resources, the
 * deletion's transaction also stores the rows that it removes or changes.
 * @param run the deletion; it frees no bytes if the resource is kept
 */
export async function keeping(
  work: Deleting,
  kind: RestorableKind,
  row: { id: string; name: string | null; description: string | null },
  run: (kept: boolean) => Promise<void>,
): Promise<void> {
  const { db, now, actor } = work
  const hours = await restorableHours(db, actor.siloId)
  const place = hours > 0 ? await placeOf(db, kind, row.id) : undefined
  // Images of the silo are in no project.
  if (!place?.project_id) return run(false)
  const captured = await capture(db, kind, row)
  await run(true)
  const gone = await differences(db, captured)
  const time = now.toISOString()
  const time_expires = restorableUntil(now, hours).toISOString()
  const resource = {
    id: row.id,
    ...named(row.name!),
    description: row.description ?? '',
    time_created: time,
    time_modified: time,
    silo_id: actor.siloId,
    project_id: place.project_id,
    kind,
    inside: place.inside ?? '',
    size: storedKind(kind).restoration?.size?.(captured[0]!.row as never) ?? 0,
    author_id: actor.userId,
    author_name: actor.displayName,
    time_expires,
    reconcile_at: time_expires,
    fence: 0,
    step_failures: 0,
  }
  await db.insertInto('deleted_resource').values(resource).execute()
  const rows = gone.map((one, position) => ({
    resource_id: row.id,
    position,
    table_name: one.table,
    before_row: storedRow.write(one.row),
    changed: one.changed && changedColumns.write(one.changed),
  }))
  for (let start = 0; start < rows.length; start += CHUNK) {
    if (start > 0) await yieldToEventLoop()
    await db
      .insertInto('deleted_row')
      .values(rows.slice(start, start + CHUNK))
      .execute()
  }
  await work.emit('deleted_resource', 'create', resource)
}

/** Whether a deleted row is kept: SQL of a condition on the table of any kind. */
export const isKept = (column = 'id') =>
  sql<boolean>`${sql.ref(column)} in (select deleted_resource.id from deleted_resource)`

/** Whether a deleted resource is kept. */
export const isKeptNow = async (db: Db, { id }: Pick<AnyRow, 'id'>): Promise<boolean> =>
  (await findRow(db, 'deleted_resource', id, 'id')) !== undefined
