/** The kinds whose use is recorded. Each declares what its rows use. */
import { GiB, type UsageMetric } from '@steading/api/rules'
import type { TableName } from '../../../kernel/db/tables.ts'
import { storedKinds } from '../../../kernel/kinds.ts'

/** SQL about a row, whose columns are written with the table name `its`. */
type RowSql = string

export interface Metered {
  /** Metric → its amount in whole units, such as GiB. */
  amounts: Partial<Record<UsageMetric, RowSql>>
  /** True while the row is in use. */
  while: RowSql
  /** The name in records. */
  name: RowSql
  /** Its silo, where that is not the silo of its project. */
  silo?: RowSql
  /** RFC 3339 time since when a row has been in use, for rows older than the records. */
  since: RowSql
}

declare module '../../../kernel/kinds.ts' {
  interface Storage {
    /** Its use is recorded. */
    metered?: Metered
  }
}

/** Whole GiB of a column with bytes, rounded up. */
export const gibOf = (column: RowSql): RowSql => `((${column} + ${GiB - 1}) / ${GiB})`

export interface MeteredKind extends Metered {
  kind: string
  table: TableName
  silo: RowSql
}

const siloOfProject = '(select project.silo_id from project where project.id = its.project_id)'

export const meteredKinds = (): MeteredKind[] =>
  storedKinds().flatMap(({ kind, table, metered }) =>
    metered ? [{ silo: siloOfProject, ...metered, kind, table }] : [],
  )
