import type { RolloutState } from '@steading/api/rules'
import type { Reconciled } from '../../../kernel/db/schema.ts'
import type { SeenSoftware } from '../../../kernel/ports/updates.ts'
import { jsonColumn } from '../../../kernel/db/json-column.ts'
import type { StoredKind } from '../../../kernel/kinds.ts'

/**
 * The target release of the system, and the progress towards it. There is one row; its
 * reconciliation updates one sled after the other.
 */
export interface SystemUpdateTable extends Reconciled {
  id: string
  fleet_id: string
  /** The last report of the engine, as JSON of `SeenSoftware`. */
  seen: string
  state: RolloutState
  /** The target release; null before the first one. */
  repository_id: string | null
  version: string | null
  time_requested: string | null
  /** The previous target release, whose archive is kept. */
  previous_repository_id: string | null
  time_last_step: string
  /** The problem that blocks it, and since when. */
  problem: string | null
  time_problem: string | null
  /** Rises when a target is set; a step with an older value writes nothing. */
  generation: number
}

/** The column `seen`. */
export const seenSoftware = jsonColumn<SeenSoftware>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    system_update: SystemUpdateTable
  }
}

export const system_update: StoredKind<'system_update'> = {
  tables: {
    system_update: {
      within: {
        repository_id: 'update_repository',
        previous_repository_id: 'update_repository',
      },
    },
  },
  live: '1 = 1',
}
