import type { DamageTable } from '../../../kernel/damage.ts'

/** How far the check of everything of a kind has come. */
export interface ScrubTable {
  kind: DamageTable['kind']
  /** What was checked last; null at the beginning. */
  position: string | null
  /** When everything was checked the last time. */
  time_finished: string | null
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    scrub: ScrubTable
  }
}
