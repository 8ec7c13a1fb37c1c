/** Tables whose names are known only at run time. */
import { type RawBuilder, sql } from 'kysely'
import type { TableName } from './tables.ts'

/** A row of any kind of resource: the common columns, and columns named only at run time. */
export interface AnyRow {
  id: string
  name: string
  [column: string]: unknown
}

/** A table for a query to read from: `db.selectFrom(anyTable(name).as('its'))`. */
export const anyTable = <Row = AnyRow>(name: TableName): RawBuilder<Row> =>
  sql<Row>`${sql.table(name)}`
