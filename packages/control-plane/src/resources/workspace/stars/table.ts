import type { StoredTables } from '../../../kernel/db/tables.ts'
import type { ListedKind } from '@steading/api/rules'

export interface StarTable {
  /** The id of the starred resource. */
  id: string
  user_id: string
  kind: ListedKind
  time_created: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    star: StarTable
  }
}

export const starTables: StoredTables = {
  star: { partOf: { user_id: 'silo_user' } },
}
