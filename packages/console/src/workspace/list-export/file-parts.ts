/** Resources as texts of a file, in parts, so that the page reacts to its user between them. */
import { csvLine } from '@steading/api/rules'

type Cell = string | number | null

/** Rows of a part. */
const PART = 500

function* partsOf<T>(rows: readonly T[]): Generator<T[]> {
  for (let at = 0; at < rows.length; at += PART) yield rows.slice(at, at + PART)
}

/** Fields of nested objects are columns of their own (`disk_backend.type`); lists stay JSON. */
function flatten(value: object, prefix = '', cells = new Map<string, Cell>()): Map<string, Cell> {
  for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
    const name = prefix + key
    if (Array.isArray(inner)) cells.set(name, inner.length > 0 ? JSON.stringify(inner) : null)
    else if (typeof inner === 'object' && inner !== null) flatten(inner, `${name}.`, cells)
    else cells.set(name, typeof inner === 'boolean' ? String(inner) : (inner as Cell))
  }
  return cells
}

/**
 * CSV with all columns that any of the rows has, in the order in which they appear.
 * @param rows as on the wire
 */
export function* csvParts(rows: readonly object[]): Generator<string> {
  const flat: Map<string, Cell>[] = []
  const columns = new Set<string>()
  for (const part of partsOf(rows)) {
    for (const row of part) {
      const cells = flatten(row)
      flat.push(cells)
      for (const name of cells.keys()) columns.add(name)
    }
    yield ''
  }
  const names = [...columns]
  yield csvLine(names)
  for (const part of partsOf(flat)) {
    yield part.map((cells) => csvLine(names.map((name) => cells.get(name)))).join('')
  }
}

/** A JSON array with a row in each line. */
export function* jsonParts(rows: readonly object[]): Generator<string> {
  let before = '[\n'
  for (const part of partsOf(rows)) {
    yield before + part.map((row) => JSON.stringify(row)).join(',\n')
    before = ',\n'
  }
  yield rows.length > 0 ? '\n]\n' : '[]\n'
}
