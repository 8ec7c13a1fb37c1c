import type { ForecastResource } from '@steading/api/rules'

/** The maximum use of a quota or a pool on a day. */
export interface UseHistoryTable {
  /** A silo or a pool. */
  thing_id: string
  resource: ForecastResource
  /** In UTC, like 2026-05-31. */
  day: string
  used: number
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    use_history: UseHistoryTable
  }
}
