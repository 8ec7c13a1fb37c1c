import type { ListedKind } from '@steading/api/rules'
import type { StoredKind } from '../../../kernel/kinds.ts'

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

export const star: StoredKind<'star'> = {
  tables: {
    star: { partOf: { user_id: 'silo_user' } },
  },
  live: '1 = 1',
  parentColumn: 'user_id',
}
