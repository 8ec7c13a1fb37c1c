/** Evaluates queries. */
import { meetsAll } from '../conditions.ts'
import { POINTS_MAX } from '../limits.ts'
import {
  type FieldCondition,
  type Selection,
  type Series,
  type SeriesSource,
  TooManyPoints,
} from '../model.ts'
import { QueryError } from '../query-error.ts'
import { milliseconds, type Operation, type Query } from '../syntax/ast.ts'
import { meanWithin } from './align.ts'
import { pointsOf } from './deltas.ts'
import { filter, filterPoints } from './filter.ts'
import { groupBy } from './group-by.ts'
import { join } from './join.ts'
import { inOrder } from './keys.ts'
import { possibleTimes, reduce, type Residual, sizeOf } from './logic.ts'
import { endOf, type Plan, plan, type Read } from './plan.ts'
import {
  isHistogram,
  lengthOf,
  slice,
  type Table,
  type Timeseries,
  withTimeseries,
} from './table.ts'
import { Work } from './work.ts'

export interface EvaluationOptions {
  source: SeriesSource
  /** Milliseconds since the epoch. */
  now: number
  /**
   * Conditions on every series, whatever the query, such as the project visible to the caller.
   * Timeseries without one of the fields are refused.
   */
  scope?: readonly FieldCondition[]
  /** Maximum number of points to fetch, and to hold at a time. */
  maxPoints?: number
  /** Yields to other work of the process; called every few milliseconds. */
  pause?: () => Promise<void>
}

class Evaluation {
  private readonly source: SeriesSource
  private readonly now: number
  private readonly end: number
  private readonly work: Work

  constructor(source: SeriesSource, now: number, end: number, work: Work) {
    this.source = source
    this.now = now
    this.end = end
    this.work = work
  }

  async run({ from, operations }: Plan): Promise<Table[]> {
    let tables = Array.isArray(from) ? await this.group(from) : [await this.read(from)]
    for (const operation of operations) tables = await this.apply(operation, tables)
    return tables
  }

  private group(plans: readonly Plan[]): Promise<Table[]> {
    return this.each(plans, (one) => this.run(one))
  }

  /** Sequentially; finished results count as held while the next ones are computed. */
  private async each<T>(
    items: readonly T[],
    work: (item: T) => Promise<Table[]>,
  ): Promise<Table[]> {
    const { held } = this.work
    const results: Table[] = []
    for (const item of items) {
      const tables = await work(item)
      results.push(...tables)
      for (const { timeseries } of tables) {
        for (const { points } of timeseries) this.work.held += lengthOf(points)
      }
    }
    this.work.held = held
    return results
  }

  private async read(read: Read): Promise<Table> {
    const { schema, fieldTypes, columns, selections, scope } = read
    const mayPass = meetsAll(scope)
    const histograms = isHistogram(schema.datumType)
    const timeseries: Timeseries[] = []
    for (const selection of selections) {
      for (const series of await this.fetch(selection, histograms)) {
        this.work.fetch(series.timestamps.length, histograms)
        if (mayPass(series.fields)) timeseries.push(this.prepare(read, series))
        await this.work.turn()
      }
    }
    return withTimeseries({ name: schema.name, fieldTypes, columns, timeseries: [] }, timeseries)
  }

  private async fetch(selection: Selection, histograms: boolean): Promise<Series[]> {
    try {
      return await this.source.read(selection, this.work.mayFetch(histograms))
    } catch (error) {
      throw error instanceof TooManyPoints ? this.work.tooManyFetched(histograms) : error
    }
  }

  /**
   * Computes the deltas of the points in the query's time range, and applies its first filters. The
   * difference of a point is to the previous one, if that is in this range, too.
   */
  private prepare({ schema, filter: bound }: Read, series: Series): Timeseries {
    const { fields } = series
    this.work.look(series.timestamps.length)
    if (!bound) return { fields, points: pointsOf(schema, series) }
    this.work.look(sizeOf(bound))
    const logic = reduce(bound, fields)
    const within = this.within(logic, series)
    return { fields, points: filterPoints(logic, pointsOf(schema, within), this.work) }
  }

  /** The part of a series between the first and the last time that can match. */
  private within(logic: Residual, { fields, timestamps, startTimes, values }: Series): Series {
    const size = sizeOf(logic)
    // Sets of times are combined one by one, and have at most two boundaries for each condition.
    this.work.look(size * size)
    const times = possibleTimes(logic)
    const first = firstFrom(timestamps, times[0] ?? Infinity)
    const last = firstFrom(timestamps, times.at(-1) ?? Infinity)
    return {
      fields,
      timestamps: timestamps.slice(first, last),
      startTimes: startTimes?.slice(first, last),
      values: values.slice(first, last),
    }
  }

  private async apply(operation: Operation, tables: readonly Table[]): Promise<Table[]> {
    const { end, now, work } = this
    switch (operation.kind) {
      case 'filter':
        return this.each(tables, async (table) => [
          await filter(operation.expression, table, now, work),
        ])
      case 'align': {
        if (operation.method === 'interpolate') {
          throw new QueryError('Alignment via interpolation is not yet implemented')
        }
        const period = milliseconds(operation.period)
        return this.each(tables, async (table) => [await meanWithin(table, end, period, work)])
      }
      case 'group_by':
        return [await groupBy(tables, operation.fields, operation.reducer, end, work)]
      case 'join':
        return [await join(tables, work)]
      case 'first':
      case 'last':
        return tables.map((table) => limit(operation.kind, operation.count, table))
      default:
        throw new Error(`${operation.kind} stands at the beginning of a query`)
    }
  }
}

/** Index of the first timestamp at or after a time. */
function firstFrom(timestamps: readonly number[], moment: number): number {
  let low = 0
  let high = timestamps.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (timestamps[middle]! < moment) low = middle + 1
    else high = middle
  }
  return low
}

function limit(which: 'first' | 'last', count: number, table: Table): Table {
  const timeseries = table.timeseries.map(({ fields, points }) => {
    const length = lengthOf(points)
    const part =
      which === 'first'
        ? slice(points, 0, Math.min(count, length))
        : slice(points, Math.max(0, length - count), length)
    return { fields, points: part }
  })
  return withTimeseries(table, timeseries)
}

/**
 * @returns tables with their timeseries in the order of their keys
 * @throws QueryError if the query is invalid; errors of the source unchanged
 */
export async function evaluate(
  query: Query,
  { source, now, scope = [], maxPoints = POINTS_MAX, pause }: EvaluationOptions,
): Promise<Table[]> {
  const work = new Work(maxPoints, pause)
  const end = endOf(query, now)
  const planned = plan(query, { source, now, scope, work })
  const tables = await new Evaluation(source, now, end, work).run(planned)
  return tables.map(inOrder)
}
