import type { Wire } from '@steading/api'
import { kindTable, kindLabels, restoreMessages, type RestorableKind } from '@steading/api/rules'
import { sql, type Selectable } from 'kysely'
import { attempt } from '../../../kernel/attempt.ts'
import { may } from '../../../kernel/authz/actor.ts'
import { type AnyRow, anyTable } from '../../../kernel/db/any-table.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { isLive, references } from '../../../kernel/db/references.ts'
import { storedTables, type TableName } from '../../../kernel/db/tables.ts'
import { fail } from '../../../kernel/errors.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import {
  anyRowsOf,
  parentColumn,
  type Row,
  storedKind,
  storedKinds,
  type StoredName,
} from '../../../kernel/kinds.ts'
import { named } from '../../../kernel/search/name-key.ts'
import type { Work } from '../../../kernel/work.ts'
import { findRow } from '../../../kernel/db/rows.ts'
import { CannotRestore, restoredWithout, restoreRowOf } from './restoration.ts'
import { changedColumns, type DeletedRowTable, storedRow } from './table.ts'

export type DeletedRow = Row<'deleted_resource'>

/** A stored row of a deletion, read. */
interface Part {
  table: TableName
  row: AnyRow
  changed: Record<string, unknown> | null
}

/** Rows after which other work gets a turn. */
const PIECE = 20

/** Stands for any table in statements that write. */
type Table = 'disk'

const readPart = ({ table_name, before_row, changed }: Selectable<DeletedRowTable>): Part => ({
  table: table_name,
  row: storedRow.read(before_row),
  changed: changed === null ? null : changedColumns.read(changed),
})

/** The stored rows of a deletion; the row of the resource itself is the first. */
export async function partsOf(db: Db, { id }: { id: string }): Promise<Part[]> {
  const rows = await db
    .selectFrom('deleted_row')
    .selectAll()
    .where('resource_id', '=', id)
    .orderBy('position')
    .execute()
  return rows.map(readPart)
}

/** The kind of the rows of a table, where that is clear. */
const kindOf = (table: TableName): StoredName | undefined =>
  storedKinds().find((one) => one.table === table && kindTable[one.kind].listed)?.kind

function tableNoun(table: TableName): string {
  const kind = storedKinds().find((one) => one.table === table)?.kind
  const { noun } = storedTables().get(table) ?? {}
  return noun ?? (kind ? kindLabels(kind) : table.replaceAll('_', ' '))
}

/** Noun of a stored row. */
export const nounOf = ({ table, row }: Pick<Part, 'table' | 'row'>): string =>
  table === 'external_ip' && row.name !== null ? kindLabels('floating_ip') : tableNoun(table)

/** Name of a stored row, empty if it has none. */
export const nameOf = ({ table, row }: Pick<Part, 'table' | 'row'>): string =>
  table === 'tag'
    ? [row.key, row.value].filter(Boolean).join(':')
    : String(row.name ?? row.ip ?? '')

const called = (part: Part): string => {
  const noun = nounOf(part)
  const name = nameOf(part)
  const words = noun[0]!.toUpperCase() + noun.slice(1)
  return name ? `${words} ${name}` : words
}

const liveRow = (db: Db, table: TableName, id: string): Promise<AnyRow | undefined> =>
  db
    .selectFrom(anyTable(table).as('its'))
    .selectAll()
    .$castTo<AnyRow>()
    .where('its.id', '=', id)
    .where(isLive(table, 'its'))
    .executeTakeFirst()

const storedRowById = (db: Db, table: TableName, id: string): Promise<AnyRow | undefined> =>
  db
    .selectFrom(anyTable(table).as('its'))
    .selectAll()
    .$castTo<AnyRow>()
    .where('its.id', '=', id)
    .executeTakeFirst()

/**
 * The reason that the container of a deleted resource does not permit its return; undefined if the
 * container exists.
 */
export async function containerObstacle(
  db: Db,
  kind: RestorableKind,
  row: AnyRow,
): Promise<string | undefined> {
  const parent = kindTable[kind].parent as StoredName
  const id = row[parentColumn(kind)] as string
  const above = await anyRowsOf(db, parent)
    .select('its.id')
    .where('its.id', '=', id)
    .executeTakeFirst()
  if (above) return undefined
  const kept = await findRow(db, 'deleted_resource', id, 'name')
  return kept
    ? restoreMessages.parentDeleted(kindLabels(parent), kept.name)
    : restoreMessages.parentGone(kindLabels(parent))
}

/** Whether another resource has a name in the container of a deleted one. */
export async function isNameTaken(
  db: Db,
  kind: RestorableKind,
  row: AnyRow,
  name: string,
): Promise<boolean> {
  const column = parentColumn(kind)
  const other = await anyRowsOf(db, kind)
    .select('its.id')
    .where(sql.ref<string>(`its.${column}`), '=', row[column] as string)
    .where('its.name', '=', name)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

interface Restored {
  resource: Wire.RestoredDependent
  dependents: Wire.RestoredDependent[]
  notes: string[]
}

/** The state of one restoration, including those of dependents. */
class Restoration {
  readonly #work: Work
  readonly dependents: Wire.RestoredDependent[] = []
  readonly notes: string[] = []
  /** The rows that return; others may refer to them before they are written. */
  readonly #returning = new Set<string>()

  constructor(work: Work) {
    this.#work = work
  }

  #note = (sentence: string): void => void this.notes.push(sentence)

  /** The scope in which the caller's rights count. */
  #scope({ project_id }: DeletedRow) {
    return { siloId: this.#work.actor.siloId, projectId: project_id }
  }

  /** Removes the row of a deleted resource, so that nothing else restores or releases it. */
  async #claim({ id }: DeletedRow): Promise<void> {
    const { db } = this.#work
    const claimed = await db
      .deleteFrom('deleted_resource')
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst()
    if (!claimed) throw fail.notFoundById(kindTable.deleted_resource.type, id)
    await db.deleteFrom('deleted_row').where('resource_id', '=', id).execute()
  }

  async resource(deleted: DeletedRow, newName?: string): Promise<Wire.RestoredDependent> {
    const { db, actor, emit } = this.#work
    const { kind } = deleted
    if (!may(actor, 'modify', kind, this.#scope(deleted))) throw fail.forbidden()
    const parts = await partsOf(db, deleted)
    const [root, ...others] = parts
    const obstacle = await containerObstacle(db, kind, root!.row)
    if (obstacle) throw fail.conflict(obstacle)
    await this.#claim(deleted)
    for (const { table, row, changed } of parts) {
      if (changed === null && row.id !== undefined) this.#returning.add(`${table} ${row.id}`)
    }
    // The instance needs its disks.
    const missing = await this.#restoreDependents(others)
    const name = newName ?? deleted.name
    const itself = { ...root!, row: { ...root!.row, ...named(name) } }
    try {
      await this.#putBack(itself)
    } catch (error) {
      if (error instanceof CannotRestore) throw fail.conflict(error.message)
      throw error
    }
    for (const [index, part] of others.entries()) {
      if (index % PIECE === PIECE - 1) await yieldToEventLoop()
      await this.#part(part, missing.get(part), deleted)
    }
    const place = { project_id: deleted.project_id, silo_id: deleted.silo_id }
    await emit(kind, 'create', { ...itself.row, ...place })
    await emit('deleted_resource', 'delete', deleted)
    return { id: deleted.id, name, kind }
  }

  async #part(part: Part, missing: string | undefined, deleted: DeletedRow): Promise<void> {
    try {
      if (missing !== undefined) throw new CannotRestore(missing)
      if (part.changed === null) await this.#putBack(part, await this.#takenName(part))
      else await this.#changeBack(part, part.changed, deleted)
    } catch (error) {
      if (!(error instanceof CannotRestore)) throw error
      const tell = part.changed === null ? restoreMessages.leftOut : restoreMessages.notAttached
      this.#note(tell(called(part), error.message))
    }
  }

  /** The name of a part, if its container is there already and has another one of that name. */
  async #takenName({ table, row }: Part): Promise<string | undefined> {
    const kind = kindOf(table)
    if (!kind || row.name === null || row.name === undefined) return undefined
    const parent = storedKind(kindTable[kind].parent as StoredName).table
    const parentId = row[parentColumn(kind)] as string
    if (this.#returning.has(`${parent} ${parentId}`)) return undefined
    const taken = await isNameTaken(this.#work.db, kind as RestorableKind, row, row.name)
    return taken ? row.name : undefined
  }

  /** Writes a removed row again, without references to rows that are gone. */
  async #putBack({ table, row }: Part, taken?: string): Promise<void> {
    const work = this.#work
    if (taken !== undefined) throw new CannotRestore(restoreMessages.nameTaken(taken))
    let values = row
    for (const reference of references()) {
      if (reference.table !== table || reference.kind === 'part') continue
      const { column, to, kind } = reference
      const id = values[column] as string | null
      if (id === null || this.#returning.has(`${to} ${id}`)) continue
      const other = kind === 'within' ? liveRow(work.db, to, id) : storedRowById(work.db, to, id)
      if (await other) continue
      const without = restoredWithout(table, column)
      if (without === undefined) {
        this.#returning.delete(`${table} ${row.id}`)
        throw new CannotRestore(restoreMessages.parentGone(tableNoun(to)))
      }
      if (without !== null) this.#note(without)
      values = { ...values, [column]: null }
    }
    const prepare = restoreRowOf(table)
    if (prepare) values = (await prepare({ work, note: this.#note }, values as never)) as AnyRow
    await this.#write(table, values)
  }

  async #write(table: TableName, row: AnyRow): Promise<void> {
    const { db, now } = this.#work
    const values = { ...row }
    if ('time_modified' in values) values.time_modified = now.toISOString()
    const marked = row.id === undefined ? undefined : await storedRowById(db, table, row.id)
    if (!marked) {
      await db
        .insertInto(table as Table)
        .values(values as never)
        .execute()
      return
    }
    // The row may still be claimed by a step of the reconciler.
    const { lease_until: _lease, fence: _fence, ...kept } = values
    if ('generation' in marked) kept.generation = Number(marked.generation) + 1
    await db
      .updateTable(table as Table)
      .set(kept as never)
      .where('id', '=', row.id)
      .execute()
  }

  /** Changes a row back that the deletion has changed, unless it was changed since. */
  async #changeBack(
    part: Part,
    changed: Record<string, unknown>,
    deleted: DeletedRow,
  ): Promise<void> {
    const { db, now, emit } = this.#work
    const { table, row } = part
    const present = await liveRow(db, table, row.id)
    if (!present) throw new CannotRestore(restoreMessages.gone)
    const columns = Object.keys(changed)
    if (columns.some((column) => present[column] !== changed[column])) {
      throw new CannotRestore(restoreMessages.changed)
    }
    const values: Record<string, unknown> = Object.fromEntries(
      columns.map((column) => [column, row[column]]),
    )
    if ('time_modified' in present) values.time_modified = now.toISOString()
    if ('generation' in present) values.generation = Number(present.generation) + 1
    await db
      .updateTable(table as Table)
      .set(values as never)
      .where('id', '=', row.id)
      .execute()
    const kind = kindOf(table)
    const { project_id, silo_id } = deleted
    if (kind) await emit(kind, 'update', { ...present, project_id, silo_id })
  }

  /**
   * Restores resources that were attached and were then deleted themselves, such as the disks of an
   * instance.
   * @returns the reasons that some of them stay deleted
   */
  async #restoreDependents(parts: readonly Part[]): Promise<Map<Part, string>> {
    const { db, actor, services } = this.#work
    const missing = new Map<Part, string>()
    for (const part of parts) {
      if (part.changed === null) continue
      const kept = await findRow(db, 'deleted_resource', part.row.id)
      if (!kept || !may(actor, 'modify', kept.kind, this.#scope(kept))) continue
      const [root] = await partsOf(db, kept)
      if (await isNameTaken(db, kept.kind, root!.row, kept.name)) {
        missing.set(part, restoreMessages.nameTaken(kept.name))
        continue
      }
      // If it cannot return, the instance does without it.
      const attempted = await attempt(services, db, () => this.resource(kept))
      if ('value' in attempted) this.dependents.push(attempted.value)
      else if (attempted.refusal) missing.set(part, attempted.refusal.message)
      else throw attempted.error
    }
    return missing
  }
}

/**
 * Restores a deleted resource with everything that its deletion removed or detached, in the
 * transaction of the caller.
 * @throws ApiError 403 without the right to change resources of its kind, 409 if its container is
 *   gone or what it needs is in use, 400 if its name is taken
 */
export async function restoreResource(
  work: Work,
  deleted: DeletedRow,
  name?: string | null,
): Promise<Restored> {
  const restoration = new Restoration(work)
  const resource = await restoration.resource(deleted, name ?? undefined)
  const { reconciler } = work.services
  const tables = new Set([resource, ...restoration.dependents].map((one) => one.kind))
  work.afterCommit(async () => {
    for (const kind of tables) {
      const { table } = storedKind(kind)
      if (storedTables().get(table)?.unfinished) reconciler.wake()
    }
  })
  return { resource, dependents: restoration.dependents, notes: restoration.notes }
}
