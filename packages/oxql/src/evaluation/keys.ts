/** Identifies the timeseries of a table by their fields. */
import type { FieldValue } from '../model.ts'
import type { Table, Timeseries } from './table.ts'

type Fields = Record<string, FieldValue>

/** Values of some fields as one text. */
export const keyText = (fields: Fields, names: Iterable<string>): string =>
  JSON.stringify(Array.from(names, (name) => fields[name]))

/** Hash (FNV-1a, twice) of names, types and values of all fields, below 2^53. */
export function keyOf({ fieldTypes }: Table, { fields }: Timeseries): number {
  let low = 0x811c9dc5
  let high = 0xcbf29ce4
  const text = JSON.stringify([...fieldTypes].map(([name, type]) => [name, type, fields[name]]))
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit ^ 0x5a, 0x01000193)
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0)
}

/** The timeseries in the order of their keys. */
export function inOrder(table: Table): Table {
  const keyed = table.timeseries.map((one) => [keyOf(table, one), one] as const)
  return { ...table, timeseries: keyed.toSorted(([a], [b]) => a - b).map(([, one]) => one) }
}
