/** Merges timeseries that are equal on some fields. */
import { EmptyInputError, QueryError } from '../query-error.ts'
import { keyText } from './keys.ts'
import { zeros } from './numbers.ts'
import { aligned, type Column, type Points, type Table, type Timeseries } from './table.ts'
import type { Work } from './work.ts'

/** Sums and counts of values by their distance from the end, in periods. */
class Merged {
  private readonly first: number
  private readonly sums: Float64Array
  private readonly counts: Int32Array
  /** 1 for each point, even a missing one. */
  private readonly there: Uint8Array

  /** Range of the distances, inclusive. */
  constructor(first: number, last: number) {
    this.first = first
    this.sums = zeros(last - first + 1)
    this.counts = new Int32Array(last - first + 1)
    this.there = new Uint8Array(last - first + 1)
  }

  add(distance: number, value: number): void {
    const at = distance - this.first
    this.there[at] = 1
    if (Number.isNaN(value)) return
    this.sums[at]! += value
    this.counts[at]!++
  }

  points(reducer: 'mean' | 'sum', timeOf: (distance: number) => number): Points {
    let length = 0
    for (const one of this.there) length += one
    const timestamps = zeros(length)
    const values = zeros(length)
    // The earliest point is the most distant.
    for (let at = this.there.length - 1, next = 0; at >= 0; at--) {
      if (!this.there[at]) continue
      const count = this.counts[at]!
      timestamps[next] = timeOf(this.first + at)
      values[next++] = count === 0 ? Number.NaN : this.sums[at]! / (reducer === 'sum' ? 1 : count)
    }
    return { timestamps, values: [values] }
  }
}

function checkTable(tables: readonly Table[]): Table & { period: number } {
  const [table] = tables
  if (tables.length !== 1) throw new QueryError('Group by operations require exactly one table')
  const { timeseries, columns, period } = table!
  if (timeseries.length === 0) {
    throw new EmptyInputError('Input tables to a `group_by` must not be empty')
  }
  if (columns.length !== 1) {
    throw new QueryError('Grouping multidimensional timeseries is not yet supported')
  }
  const [{ valueType }] = columns as [Column]
  if (valueType !== 'integer' && valueType !== 'double') {
    throw new QueryError(`Only numeric data types can be grouped, not ${valueType}`)
  }
  if (period === undefined) throw new QueryError('Input tables to a `group_by` must be aligned')
  return { ...table!, period }
}

/** @param end of the query, at whole periods from all timestamps */
export async function groupBy(
  tables: readonly Table[],
  names: readonly string[],
  reducer: 'mean' | 'sum',
  end: number,
  work: Work,
): Promise<Table> {
  const table = checkTable(tables)
  const { period, fieldTypes } = table
  for (const name of names) {
    if (!fieldTypes.has(name)) throw new QueryError(`Timeseries does not contain field '${name}'`)
  }
  const distanceOf = (timestamp: number): number => Math.round((end - timestamp) / period)
  const groups = Map.groupBy(table.timeseries, ({ fields }) => keyText(fields, names))
  const merged: Timeseries[] = []
  for (const members of groups.values()) {
    const ends = members.map(({ points: { timestamps } }) => ({
      first: distanceOf(timestamps.at(-1)!),
      last: distanceOf(timestamps[0]!),
    }))
    const first = ends.reduce((least, one) => Math.min(least, one.first), Infinity)
    const last = ends.reduce((most, one) => Math.max(most, one.last), -Infinity)
    work.look(last - first)
    const sums = new Merged(first, last)
    for (const { points } of members) {
      const { timestamps } = points
      const values = points.values[0] as Float64Array
      work.look(timestamps.length)
      for (let at = 0; at < timestamps.length; at++) {
        sums.add(distanceOf(timestamps[at]!), values[at]!)
      }
      await work.turn()
    }
    merged.push({
      fields: Object.fromEntries(names.map((name) => [name, members[0]!.fields[name]!])),
      points: sums.points(reducer, (distance) => end - distance * period),
    })
  }
  return {
    ...table,
    fieldTypes: new Map([...fieldTypes].filter(([name]) => names.includes(name))),
    columns: [aligned],
    timeseries: merged,
  }
}
