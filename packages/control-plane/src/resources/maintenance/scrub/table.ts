import type { DamageTable } from '../../../kernel/damage.ts'

/** The progress of the check of everything of a kind. */
export interface ScrubTable {
  kind: DamageTable['kind']
  /** The last one checked; null at the beginning. */
  position: string | null
  /** End of the last complete check. */
  time_finished: string | null
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    scrub: ScrubTable
  }
}
