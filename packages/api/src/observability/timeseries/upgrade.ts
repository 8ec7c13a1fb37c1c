import { lastChangeOf } from '../../version-history.ts'
import type { SchemaChange } from '../../versions.ts'

/** Older clients do not know joules, and read such a series as one without a unit. */
export const joulesChange: SchemaChange = {
  until: lastChangeOf('Units'),
  presentResponse: (unit) => (unit === 'joules' ? 'none' : unit),
}
