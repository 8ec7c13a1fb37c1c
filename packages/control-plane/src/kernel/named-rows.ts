/**
 * Writing the rows of resources with a name. Their common columns and their events are written
 * here; callers give what is special about their kind.
 */
import type { Listed } from './db/schema.ts'
import { changeRow } from './db/rows.ts'
import { storedTables } from './db/tables.ts'
import type { Changed } from './events/outbox.ts'
import { type Row, storedKind, type StoredName } from './kinds.ts'
import { named } from './search/name-key.ts'
import type { Writing } from './work.ts'

interface Described {
  name: string
  description: string
}

/** The silo, the project or the user of an event, where the row does not say them. */
type Place = Pick<Changed, 'silo_id' | 'project_id' | 'user_id'>

/** The columns that {@link insertNamed} writes by itself. */
type CommonColumn = keyof Listed | 'time_deleted'

/** The first columns of a new row. */
function newIdentity({ now }: Pick<Writing, 'now'>, { name, description }: Described) {
  const time = now.toISOString()
  return { id: crypto.randomUUID(), name, description, time_created: time, time_modified: time }
}

/** The first columns of a new row of a kind with a list in `/x/v1`. */
export const newNamed = (writing: Pick<Writing, 'now'>, described: Described) => ({
  ...newIdentity(writing, described),
  ...named(described.name),
})

/** Whether the names of a kind have a sort key in its table. */
const hasNameKeys = (kind: StoredName): boolean => storedKind(kind).search !== undefined

/** The table of a kind. One stands for all, as a union of all tables takes long to check. */
const tableOf = (kind: StoredName) => storedKind(kind).table as 'vpc'

const isMarked = (kind: StoredName): boolean =>
  storedTables().get(storedKind(kind).table)?.marked === true

/**
 * Inserts a resource and emits its event. The unique index of the table refuses a name that is
 * taken.
 * @param columns the other columns of the row
 * @throws ApiError 400 if another resource of the kind has the name in the same parent
 */
export async function insertNamed<K extends StoredName>(
  writing: Writing,
  kind: K,
  described: Described,
  columns: Omit<Row<K>, CommonColumn>,
  place?: Place,
): Promise<Row<K>> {
  const row = {
    ...(hasNameKeys(kind) ? newNamed : newIdentity)(writing, described),
    ...(isMarked(kind) && { time_deleted: null }),
    ...columns,
  }
  await writing.db
    .insertInto(tableOf(kind))
    .values(row as never)
    .execute()
  await writing.emit(kind, 'create', { ...row, ...place })
  return row as unknown as Row<K>
}

/**
 * Changes the name, the description and perhaps other columns of a resource, and emits its event.
 * @param asked the new name and description; without them they stay
 * @param columns other columns to change
 * @throws ApiError 400 if another resource of the kind has the name in the same parent
 */
export async function changeNamed<K extends StoredName>(
  { db, now, emit }: Writing,
  kind: K,
  row: Row<K> & { id: string; name: string | null; description: string | null },
  asked: { name?: string | null; description?: string | null },
  columns: Partial<Row<K>> = {},
  place?: Place,
): Promise<Row<K>> {
  const changes = {
    ...named(asked.name ?? row.name),
    description: asked.description ?? row.description,
    ...columns,
    time_modified: now.toISOString(),
  }
  await changeRow(db, tableOf(kind), row.id, changes as object)
  const changed = { ...row, ...changes }
  await emit(kind, 'update', { ...changed, ...place })
  return changed
}

/**
 * Deletes the row of a resource, or marks it, as its table is declared; and emits the event.
 * @param columns to change in a row that is marked
 */
export async function deleteRow<K extends StoredName>(
  { db, now, emit }: Writing,
  kind: K,
  row: Changed,
  columns: Partial<Row<K>> = {},
  place?: Place,
): Promise<void> {
  const table = tableOf(kind)
  if (isMarked(kind)) {
    await changeRow(db, table, row.id, { time_deleted: now.toISOString(), ...columns } as object)
  } else {
    await db.deleteFrom(table).where('id', '=', row.id).execute()
  }
  await emit(kind, 'delete', { ...row, ...place })
}
