import type { StoredKind } from '../../../kernel/kinds.ts'

export interface DismissalTable {
  /** The id of a project, a silo or the fleet. */
  id: string
  user_id: string
  time_created: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    dismissal: DismissalTable
  }
}

export const dismissal: StoredKind<'dismissal'> = {
  tables: {
    dismissal: { partOf: { user_id: 'silo_user' } },
  },
  live: '1 = 1',
  parentColumn: 'user_id',
}
