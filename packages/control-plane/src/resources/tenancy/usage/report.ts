/** Reports of use: sums of records over days, and their costs. */
import type { Wire } from '@steading/api'
import {
  costOf,
  parsePrice,
  quantityOf,
  USAGE_DECIMALS,
  USAGE_LINES_MAX,
  type UsageGrouping,
  usageMessages,
  type UsageMetric,
  usageMetrics,
} from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Dialect } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { Prices } from '../price-list/prices.ts'
import { placesOf } from './places.ts'
import { silosWithRecords, slicesOf, type Span } from './scan.ts'
import { createSteps, type Steps } from './steps.ts'

export interface Question {
  days: readonly { day: string; start: number }[]
  /** Begins with the first day, and ends with the last one or now. */
  span: Span
  /** Now, by the clock of the database. */
  moment: number
  /** Undefined for all silos. */
  siloId: string | undefined
  projectId: string | undefined
  groupBy: UsageGrouping
  tagKey: string | undefined
  /** Undefined if costs are not shown. */
  prices: Prices | undefined
}

/**
 * The greatest of some sorted numbers that is not above a column, by halving them; the first one if
 * all are above it.
 */
function floorOf(column: string, bounds: readonly number[]): string {
  if (bounds.length === 1) return String(bounds[0])
  const middle = bounds.length >> 1
  return `case when ${column} < ${bounds[middle]} then ${floorOf(column, bounds.slice(0, middle))}
    else ${floorOf(column, bounds.slice(middle))} end`
}

/** Sums of records whose intervals begin in one period and end in another. */
interface Summed {
  project_id: string | null
  tag: string | null
  metric: UsageMetric
  /** Beginnings of the periods. */
  began: number
  ended: number
  /** Sums of amounts, and of amounts multiplied with the time since the beginning of the period. */
  amount: string
  began_after: string
  ended_after: string
}

async function sumsOf(
  { db, dialect }: { db: Db; dialect: Dialect },
  { span, projectId, groupBy, tagKey }: Question,
  bounds: readonly number[],
  slice: RawBuilder<unknown>,
): Promise<Summed[]> {
  const [greatest, least] =
    dialect === 'sqlite' ? [sql`max`, sql`min`] : [sql`greatest`, sql`least`]
  const project = groupBy === 'project' ? sql`project_id` : sql`cast(null as text)`
  const json = dialect === 'sqlite' ? sql`tags` : sql`cast(tags as json)`
  const tag =
    tagKey === undefined ? sql`cast(null as text)` : sql`${json} ->> cast(${tagKey} as text)`
  // Materialised, because SQLite would compute the periods again for each use of them.
  const { rows } = await sql<Summed>`
    with placed as materialized (
      select ${project} as project_id, ${tag} as tag, metric, amount, time_start, time_end,
        ${sql.raw(floorOf('time_start', bounds))} as began,
        ${sql.raw(floorOf('time_end', bounds))} as ended
      from (${slice}) as record
      where time_start < ${sql.lit(span.to)}
        and ${projectId === undefined ? sql`1 = 1` : sql`project_id = ${projectId}`})
    select project_id, tag, metric, began, ended,
      cast(sum(amount) as text) as amount,
      cast(sum(amount * (${greatest}(time_start, ${sql.lit(span.from)}) - began)) as text)
        as began_after,
      cast(sum(amount * (${least}(time_end, ${sql.lit(span.to)}) - ended)) as text) as ended_after
    from placed
    group by project_id, tag, metric, began, ended`.execute(db)
  return rows
}

type Group = { siloId: string | null; projectId: string | null; tag: string | null }

/** Sums by metric, over the same periods. */
class Sums {
  readonly #bounds: readonly number[]
  readonly #steps = new Map<UsageMetric, Steps>()

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
  }

  add({ metric, began, ended, amount, began_after, ended_after }: Summed): void {
    let steps = this.#steps.get(metric)
    if (!steps) this.#steps.set(metric, (steps = createSteps(this.#bounds)))
    steps.change(Number(began), BigInt(amount), BigInt(began_after))
    steps.change(Number(ended), -BigInt(amount), -BigInt(ended_after))
  }

  /** The sums of each metric, in the order of the contract. */
  read(): [UsageMetric, bigint[]][] {
    return usageMetrics.flatMap((metric) => {
      const steps = this.#steps.get(metric)
      return steps ? [[metric, steps.sums()] as [UsageMetric, bigint[]]] : []
    })
  }
}

interface Amounts {
  amounts: Wire.UsageReport['total']['amounts']
  cost: string | null
}

/**
 * Quantities and costs of metrics over some periods, rounded at the end.
 * @param periodsOf for each period, the version of the prices that is valid in it
 */
function amountsOf(
  sums: readonly [UsageMetric, bigint[]][],
  versions: readonly (Partial<Record<UsageMetric, string>> | undefined)[],
  prices: Prices | undefined,
): Amounts {
  let all = 0n
  const amounts = sums.map(([metric, periods]) => {
    let used = 0n
    let priced = 0n
    for (const [index, unitMs] of periods.entries()) {
      used += unitMs
      priced += unitMs * (parsePrice(versions[index]?.[metric] ?? '0') ?? 0n)
    }
    all += priced
    return {
      metric,
      quantity: quantityOf(used, USAGE_DECIMALS),
      cost: prices ? costOf(priced, prices.currency) : null,
    }
  })
  return { amounts, cost: prices ? costOf(all, prices.currency) : null }
}

/** Lines between two turns of the event loop. */
const TURN = 200

/**
 * Reads a report.
 * @throws ApiError 400 for too many lines
 */
export async function readReport(
  on: { db: Db; dialect: Dialect },
  question: Question,
): Promise<Pick<Wire.UsageReport, 'lines' | 'total' | 'days'>> {
  const { db } = on
  const { span, days, moment, prices, groupBy, tagKey } = question
  const inside = (ms: number) => ms > span.from && ms < span.to
  const starts = (prices?.versions ?? []).map(({ start }) => start).filter(inside)
  const dayStarts = days.map(({ start }) => start).filter((start) => start < span.to)
  const sorted = (some: number[]) => [...new Set(some)].toSorted((a, b) => a - b)
  /** Periods in which prices do not change, and those within days. */
  const pricePeriods = sorted([span.from, ...starts])
  const periods = sorted([...dayStarts, ...starts])
  const versionsOf = (some: readonly number[]) => some.map((start) => prices?.validAt(start))

  const groups = new Map<string, { group: Group; sums: Sums }>()
  const total = new Sums([...periods, span.to])
  const isEmpty = span.to <= span.from
  const silos = question.siloId === undefined ? await silosWithRecords(db) : [question.siloId]
  for (const siloId of isEmpty ? [] : silos) {
    for await (const slice of slicesOf(db, siloId, span.from, moment)) {
      for (const summed of await sumsOf(on, question, [...periods, span.to], slice)) {
        const group: Group = {
          siloId: groupBy === 'total' ? null : siloId,
          projectId: groupBy === 'project' ? summed.project_id : null,
          tag: summed.tag,
        }
        const key = JSON.stringify(group)
        let found = groups.get(key)
        if (!found) {
          if (groups.size === USAGE_LINES_MAX) throw fail.invalidRequest(usageMessages.tooManyLines)
          groups.set(key, (found = { group, sums: new Sums([...pricePeriods, span.to]) }))
        }
        found.sums.add(summed)
        total.add(summed)
      }
    }
  }

  const places = await placesOf(
    db,
    [...groups.values()].flatMap(({ group }) => [group.siloId, group.projectId]),
  )
  const placeOf = (id: string | null) => (id === null ? null : places.get(id)!)
  const lines: Wire.UsageReport['lines'] = []
  for (const { group, sums } of groups.values()) {
    lines.push({
      silo: placeOf(group.siloId),
      project: placeOf(group.projectId),
      tag_value: tagKey === undefined ? null : group.tag,
      ...amountsOf(sums.read(), versionsOf(pricePeriods), prices),
    })
    if (lines.length % TURN === 0) await yieldToEventLoop()
  }

  const sums = total.read()
  const versions = versionsOf(periods)
  /** Day → its periods, which are consecutive. */
  const byDay = dayStarts.map((start, index) => {
    const end = dayStarts[index + 1] ?? Infinity
    const first = periods.findIndex((period) => period >= start)
    const next = periods.findIndex((period) => period >= end)
    const part = <T>(all: readonly T[]): T[] =>
      all.slice(first, next === -1 ? periods.length : next)
    const its = sums.map(([metric, all]): [UsageMetric, bigint[]] => [metric, part(all)])
    return { day: days[index]!.day, ...amountsOf(its, part(versions), prices) }
  })
  return {
    lines: lines.toSorted(inOrder),
    total: amountsOf(sums, versions, prices),
    days: byDay,
  }
}

const textOf = (place: Wire.UsageReport['lines'][number]['silo']): string =>
  place ? `${place.name ?? ''} ${place.id}` : ''

/** By the names of silos, projects and values; the rest of each comes last. */
function inOrder(
  a: Wire.UsageReport['lines'][number],
  b: Wire.UsageReport['lines'][number],
): number {
  const keys = (line: typeof a) => [
    textOf(line.silo),
    line.project === null ? '\u{10ffff}' : textOf(line.project),
    line.tag_value ?? '\u{10ffff}',
  ]
  const [left, right] = [keys(a), keys(b)]
  const index = left.findIndex((key, at) => key !== right[at])
  return index === -1 ? 0 : left[index]! < right[index]! ? -1 : 1
}
