/** Prepares a filled database for `openCloud`. */
import type { Database } from '@sqlite.org/sqlite-wasm'
import type { VolumeContents } from '@steading/control-plane'
import { createMove, MOVED } from './move.ts'

export interface Parts {
  /** The time that the ages in the cloud count from. */
  present: Date
  contents: VolumeContents[]
}

interface Column {
  name: string
  /** Whether values of other rows restrict its value. */
  unique: boolean
  isNumber: boolean
}

/**
 * Names of columns with times in milliseconds. Unlike a text, a number does not show that it is a
 * time.
 */
const NUMBERED_TIME = /^(time|time_.*|since|.*_(at|until|to))$/

const quoted = (name: string): string => `"${name}"`

/** The columns of a table with something to move, by their values. */
function movedColumns(database: Database, table: string, present: Date): Column[] {
  // Any other place will do.
  const now = new Date(present.getTime() + 400 * 24 * 60 * 60 * 1000)
  const move = createMove(present, { now, origin: 'https://elsewhere.invalid' })
  const declared = database.selectObjects(
    `select name, type, exists(
       select 1 from pragma_index_list(?1) as list, pragma_index_info(list.name) as its
       where list."unique" and its.name = info.name) as is_unique
     from pragma_table_info(?1) as info`,
    [table],
  ) as { name: string; type: string; is_unique: number }[]
  return declared.flatMap(({ name, type, is_unique }): Column[] => {
    const isNumber = /int/i.test(type)
    if (isNumber && !NUMBERED_TIME.test(name)) return []
    const values = database.selectValues(`select ${quoted(name)} from ${quoted(table)}`)
    const moves = values.some((value) => move(value) !== value)
    return moves ? [{ name, unique: is_unique === 1, isNumber }] : []
  })
}

/**
 * The statements that move a table. Unique values move in two steps, because a moved value may
 * equal another one that has not been moved yet.
 */
function statementsFor(table: string, columns: readonly Column[]): string[] {
  const update = (some: readonly Column[], valueOf: (column: Column, name: string) => string) =>
    some.length === 0
      ? []
      : [
          `update ${quoted(table)} set ${some
            .map((column) => `${quoted(column.name)} = ${valueOf(column, quoted(column.name))}`)
            .join(', ')}`,
        ]
  return [
    ...update(columns, ({ unique, isNumber }, name) => {
      const moved = `${MOVED}(${name})`
      if (!unique) return moved
      return isNumber ? `-${moved}` : `'~' || ${moved}`
    }),
    ...update(
      columns.filter(({ unique }) => unique),
      ({ isNumber }, name) => (isNumber ? `-${name}` : `substr(${name}, 2)`),
    ),
  ]
}

/**
 * Adds tables with the parts of the cloud that the control plane does not keep in its database, and
 * with the statements that move it to another time and place.
 */
export function writeParts(database: Database, { present, contents }: Parts): void {
  const tables = database.selectValues(
    `select name from pragma_table_list
     where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\'
     order by name`,
  ) as string[]
  const moves = tables.flatMap((table) =>
    statementsFor(table, movedColumns(database, table, present)),
  )
  database.exec(`
    create table file_head (present text not null, moves text not null, volumes text not null);
    create table file_block (volume text not null, number int not null, bytes blob not null);`)
  const volumes = contents.map(({ id, written }) => ({ id, written }))
  database.exec({
    sql: 'insert into file_head values (?, ?, ?)',
    bind: [present.toISOString(), JSON.stringify(moves), JSON.stringify(volumes)],
  })
  for (const { id, blocks } of contents) {
    for (const [number, bytes] of blocks) {
      database.exec({ sql: 'insert into file_block values (?, ?, ?)', bind: [id, number, bytes] })
    }
  }
}
