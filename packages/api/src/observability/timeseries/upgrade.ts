import type { SchemaChange } from '../../versions.ts'

/** Older clients have no word for joules, and read a series of them as one without a unit. */
export const joulesChange: SchemaChange = {
  until: 2026060800,
  presentResponse: (unit) => (unit === 'joules' ? 'none' : unit),
}
