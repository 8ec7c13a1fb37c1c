/** A copy of some tables, kept level with the server by `monitor_cond_since` (ovsdb-server(7)). */
import type { Connection } from './connection.ts'
import {
  type AnyPlain,
  type Column,
  defaultOf,
  type OvsdbRow,
  type OvsdbValue,
  type PlainMap,
  plainOf,
} from './values.ts'

export type Tables = Readonly<Record<string, Readonly<Record<string, Column>>>>

export type PlainRow = Readonly<Record<string, AnyPlain>>

/** A change of a row: its first contents, its new ones, or the differences of its columns. */
type RowUpdate =
  | { initial: OvsdbRow }
  | { insert: OvsdbRow }
  | { modify: OvsdbRow }
  | { delete: null }

type Updates = Record<string, Record<string, RowUpdate>>

/**
 * The new value of a column. Sets and maps are sent as differences: values that are there go, others
 * come, and a key with another value gets it.
 */
function changed(column: Column, before: AnyPlain, difference: OvsdbValue): AnyPlain {
  const sent = plainOf(column, difference)
  if (column.holds === 'set') {
    const values = new Set(before as string[])
    for (const value of sent as string[]) if (!values.delete(value)) values.add(value)
    return [...values].sort()
  }
  if (column.holds === 'map') {
    const map = { ...(before as PlainMap) }
    for (const [key, value] of Object.entries(sent as PlainMap)) {
      if (map[key] === value) delete map[key]
      else map[key] = value
    }
    return map
  }
  return sent
}

export class Replica {
  readonly #tables: Tables
  readonly #rows = new Map<string, Map<string, PlainRow>>()
  readonly #listeners = new Set<() => void>()
  /** Changes that arrive before the first contents have been applied. */
  #early: Updates[] | undefined

  constructor(tables: Tables) {
    this.#tables = tables
    for (const table of Object.keys(tables)) this.#rows.set(table, new Map())
  }

  /** Rows of a table by their UUIDs. */
  rows(table: string): ReadonlyMap<string, PlainRow> {
    return this.#rows.get(table)!
  }

  /** Calls a function after each change, until the returned one is called. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Reads the tables, and follows them from then on. The notifications of the connection have to go
   * to `receive`.
   */
  async follow(connection: Connection, database: string): Promise<void> {
    const requests = Object.fromEntries(
      Object.entries(this.#tables).map(([table, columns]) => [
        table,
        [{ columns: Object.keys(columns) }],
      ]),
    )
    this.#early = []
    const unknown = '00000000-0000-0000-0000-000000000000'
    const answer = await connection.call(
      'monitor_cond_since',
      database,
      database,
      requests,
      unknown,
    )
    const [, , updates] = answer as [boolean, string, Updates]
    for (const rows of this.#rows.values()) rows.clear()
    const early = this.#early
    this.#early = undefined
    for (const each of [updates, ...early]) this.#apply(each)
  }

  receive(method: string, params: unknown[]): void {
    if (method !== 'update3') return
    const updates = params[2] as Updates
    if (this.#early) this.#early.push(updates)
    else this.#apply(updates)
  }

  #apply(updates: Updates): void {
    for (const [table, rows] of Object.entries(updates)) {
      const columns = this.#tables[table]
      const copies = this.#rows.get(table)
      if (!columns || !copies) continue
      for (const [uuid, update] of Object.entries(rows)) {
        if ('delete' in update) copies.delete(uuid)
        else if ('modify' in update) {
          const row: Record<string, AnyPlain> = { ...copies.get(uuid) }
          for (const [name, difference] of Object.entries(update.modify)) {
            const column = columns[name]
            if (column) row[name] = changed(column, row[name] ?? defaultOf(column), difference)
          }
          copies.set(uuid, row)
        } else {
          const sent = 'insert' in update ? update.insert : update.initial
          copies.set(
            uuid,
            Object.fromEntries(
              Object.entries(columns).map(([name, column]) => {
                const value = sent[name]
                return [name, value === undefined ? defaultOf(column) : plainOf(column, value)]
              }),
            ),
          )
        }
      }
    }
    for (const listener of this.#listeners) listener()
  }
}
