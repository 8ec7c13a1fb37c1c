/**
 * A naive evaluator for comparison: implements the definitions point by point, for numbers only. It
 * shares nothing with the package except the syntax tree.
 */
import type { FieldValue, Series, TimeseriesSchema } from '../../src/model.ts'
import type { Condition, Expression, Literal, Operation, Query } from '../../src/syntax.ts'
import type { World } from './memory-source.ts'

export interface NaivePoint {
  at: number
  /** Start of a delta's interval. */
  since?: number
  values: (number | null)[]
}
export interface NaiveSeries {
  fields: Record<string, FieldValue>
  points: NaivePoint[]
}
export interface NaiveTable {
  names: string[]
  types: Record<string, string>
  delta: boolean
  /** `boolean` cannot be averaged. */
  numeric: boolean
  period?: number
  series: NaiveSeries[]
}

/** The rule that a query violates, if any. */
export class Broken extends Error {}

const units = { Y: 31_536_000_000, M: 2_592_000_000, w: 604_800_000, d: 86_400_000, h: 3_600_000 }
const duration = ({ amount, unit }: { amount: number; unit: string }): number =>
  amount * ({ ...units, m: 60_000, s: 1000, ms: 1, us: 0.001, ns: 0.000_001 } as never)[unit]

function moment(literal: Literal, now: number): number {
  if (literal.kind !== 'timestamp') throw new Broken('timestamp')
  const { value } = literal
  if (value.kind === 'absolute') return value.milliseconds
  if (value.kind === 'today') return now - (now % 86_400_000) + value.milliseconds
  if (!value.offset) return now
  return now + (value.sign === '-' ? -1 : 1) * duration(value.offset)
}

const holds = (comparison: string, a: never, b: never): boolean =>
  ({ '==': a === b, '!=': a !== b, '<': a < b, '<=': a <= b, '>': a > b, '>=': a >= b })[
    comparison
  ]!

const conditions = (one: Expression): Condition[] => {
  if (one.kind === 'comparison') return [one]
  return (one.kind === 'not' ? [one.operand] : one.operands).flatMap(conditions)
}

function logic(one: Expression, leaf: (condition: Condition) => boolean): boolean {
  switch (one.kind) {
    case 'comparison':
      return leaf(one)
    case 'not':
      return !logic(one.operand, leaf)
    case 'and':
      return one.operands.every((operand) => logic(operand, leaf))
    case 'or':
      return one.operands.some((operand) => logic(operand, leaf))
    case 'xor':
      return one.operands.filter((operand) => logic(operand, leaf)).length % 2 === 1
  }
}

const kinds: Record<string, string> = { uuid: 'uuid', string: 'string', u32: 'integer' }

function check(expression: Expression, table: Omit<NaiveTable, 'series'>, now: number): void {
  for (const { identifier, comparison, literal } of conditions(expression)) {
    const type = table.types[identifier]
    if (type) {
      if (literal.kind !== kinds[type]) throw new Broken('field type')
      if (comparison === '~=' && type !== 'string') throw new Broken('field type')
    } else if (identifier === 'datum' && table.names.length === 1) {
      const wanted = table.numeric ? ['integer', 'double'] : ['boolean']
      if (!wanted.includes(literal.kind)) throw new Broken('datum type')
    } else if (identifier === 'timestamp' || (identifier === 'start_time' && table.delta)) {
      moment(literal, now)
    } else {
      throw new Broken('identifier')
    }
  }
}

function meets(
  { identifier, comparison, literal }: Condition,
  types: Record<string, string>,
  fields: Record<string, FieldValue>,
  point: NaivePoint | undefined,
  now: number,
): boolean {
  if (types[identifier]) {
    const value = fields[identifier]!
    const wanted = literal.kind === 'integer' ? Number(literal.value) : literal.value
    if (comparison === '~=') return new RegExp(String(wanted)).test(String(value))
    return holds(comparison, value as never, wanted as never)
  }
  if (identifier === 'datum') {
    const value = point!.values[0]!
    return value !== null && holds(comparison, value as never, Number(literal.value) as never)
  }
  const time = identifier === 'timestamp' ? point!.at : point!.since!
  return holds(comparison, time as never, moment(literal, now) as never)
}

const JUST = 0.001

/** First and last time at which a filter can be true, whatever the values. */
function extent(
  expression: Expression,
  types: Record<string, string>,
  fields: Record<string, FieldValue>,
  now: number,
): [number, number] {
  const all = conditions(expression)
  const unknown = all.filter(({ identifier }) => ['datum', 'start_time'].includes(identifier))
  const moments = all
    .filter(({ identifier }) => identifier === 'timestamp')
    .map(({ literal }) => moment(literal, now))
    .flatMap((time) => [time - JUST, time, time + JUST])
  const possible = [-1e15, 0, 1e15, ...moments].filter((at) => {
    for (let bits = 0; bits < 2 ** unknown.length; bits++) {
      const leaf = (one: Condition): boolean => {
        const index = unknown.indexOf(one)
        if (index >= 0) return ((bits >> index) & 1) === 1
        return meets(one, types, fields, { at, values: [] }, now)
      }
      if (logic(expression, leaf)) return true
    }
    return false
  })
  return [Math.min(...possible), Math.max(...possible)]
}

function deltas(series: Series, from: number, to: number, cumulative: boolean): NaivePoint[] {
  const points: NaivePoint[] = []
  let last: { at: number; start: number; value: number } | undefined
  for (const [index, at] of series.timestamps.entries()) {
    if (at < from || at > to) continue
    const value = series.values[index] as number | null
    if (!cumulative) {
      points.push({ at, values: [value] })
      continue
    }
    const start = series.startTimes![index]!
    const anew = !last || start > last.start || (value !== null && value < last.value)
    points.push({
      at,
      since: anew ? Math.max(start, last?.at ?? -Infinity) : last!.at,
      values: [value === null ? null : anew ? value : value - last!.value],
    })
    if (value !== null) last = { at, start, value }
  }
  return points
}

export function endOf(query: Query, now: number): number {
  const found: number[] = []
  const walk = (one: Expression, turned: boolean): void => {
    if (one.kind === 'not') return walk(one.operand, !turned)
    if (one.kind !== 'comparison') {
      for (const operand of one.operands) {
        walk(operand, turned)
        if (one.kind === 'xor') walk(operand, !turned)
      }
      return
    }
    const upper = (turned ? ['>', '>=', '!='] : ['<', '<=', '==']).includes(one.comparison)
    if (upper && one.identifier === 'timestamp') found.push(moment(one.literal, now))
  }
  const walkQuery = ({ operations }: Query): void => {
    for (const one of operations) {
      if (one.kind === 'filter') walk(one.expression, false)
      if (one.kind === 'group') one.queries.forEach(walkQuery)
    }
  }
  walkQuery(query)
  return found.length > 0 ? Math.max(...found) : now
}

const filtersAtBegin = (operations: Operation[]): number => {
  const index = operations.findIndex(({ kind }) => kind !== 'filter')
  return index < 0 ? operations.length : index
}

export function naive(query: Query, worlds: World[], now: number): NaiveTable[] {
  const end = endOf(query, now)
  const run = ({ operations }: Query, after: Operation[]): NaiveTable[] => {
    const [first, ...own] = operations
    const rest = [...own, ...after]
    const leading = rest.slice(0, filtersAtBegin(rest))
    const others = rest.slice(leading.length)
    let tables: NaiveTable[]
    if (first!.kind === 'group') tables = first!.queries.flatMap((one) => run(one, leading))
    else if (first!.kind === 'get') tables = [get(first!.name, leading)]
    else throw new Error('not a query')
    for (const operation of others) tables = apply(operation, tables)
    return tables
  }

  const get = (name: string, leading: Operation[]): NaiveTable => {
    const { schema, series } = worlds.find((world) => world.schema.name === name)!
    const table = { ...shapeOf(schema), names: [name] }
    const expressions = leading.flatMap((one) => (one.kind === 'filter' ? [one.expression] : []))
    for (const one of expressions) check(one, table, now)
    const found = series.map((one) => {
      const extents = expressions.length
        ? extent(
            expressions.length === 1
              ? expressions[0]!
              : { kind: 'and', start: 0, end: 0, operands: expressions },
            table.types,
            one.fields,
            now,
          )
        : ([-Infinity, Infinity] as const)
      const points = deltas(one, extents[0], extents[1], table.delta)
      return { fields: one.fields, points }
    })
    let result: NaiveTable = { ...table, series: found }
    for (const one of expressions) result = filter(one, result)
    return { ...result, series: result.series.filter(({ points }) => points.length > 0) }
  }

  const filter = (expression: Expression, table: NaiveTable): NaiveTable => {
    if (table.series.length === 0) return table
    check(expression, table, now)
    const series = table.series.map(({ fields, points }) => ({
      fields,
      points: points.filter((point) =>
        logic(expression, (one) => meets(one, table.types, fields, point, now)),
      ),
    }))
    return { ...table, series: series.filter(({ points }) => points.length > 0) }
  }

  const align = (table: NaiveTable, period: number): NaiveTable => {
    if (table.names.length > 1) throw new Broken('dimensions')
    if (!table.numeric) throw new Broken('numeric')
    const series = table.series.map(({ fields, points }) => {
      for (const [index, { at }] of points.entries()) {
        if (index > 0 && at - points[index - 1]!.at > 100 * period) throw new Broken('upsampling')
      }
      const times: number[] = []
      for (let k = 0; end - k * period >= points[0]!.at; k++) times.unshift(end - k * period)
      return {
        fields,
        points: times.map((time) => ({
          at: time,
          values: [table.delta ? deltaMean(points, time, period) : gaugeMean(points, time, period)],
        })),
      }
    })
    return {
      ...table,
      delta: false,
      period,
      series: series.filter(({ points }) => points.length > 0),
    }
  }

  const groupBy = (
    tables: NaiveTable[],
    { fields: names, reducer }: { fields: string[]; reducer: string },
  ): NaiveTable => {
    const [table] = tables
    if (tables.length !== 1 || table!.series.length === 0 || table!.names.length > 1) {
      throw new Broken('one table')
    }
    if (table!.period === undefined) throw new Broken('aligned')
    for (const name of names) if (!table!.types[name]) throw new Broken('no such field')
    const pick = (from: Record<string, unknown>) =>
      Object.fromEntries(names.map((name) => [name, from[name]])) as Record<string, never>
    const keys = new Set(table!.series.map(({ fields }) => JSON.stringify(pick(fields))))
    const series = [...keys].map((key) => {
      const members = table!.series.filter(({ fields }) => JSON.stringify(pick(fields)) === key)
      const times = [...new Set(members.flatMap(({ points }) => points.map(({ at }) => at)))]
      const points = times
        .toSorted((a, b) => a - b)
        .map((at) => {
          const present = members
            .flatMap((one) => one.points.filter((point) => point.at === at))
            .flatMap(({ values }) => values)
            .filter((value) => value !== null)
          const sum = present.reduce((total, value) => total + value, 0)
          const value = reducer === 'sum' ? sum : sum / present.length
          return { at, values: [present.length > 0 ? value : null] }
        })
      return { fields: pick(members[0]!.fields), points }
    })
    return { ...table!, types: pick(table!.types), series }
  }

  const join = (tables: NaiveTable[]): NaiveTable => {
    if (tables.length < 2 || tables.some(({ series }) => series.length === 0)) {
      throw new Broken('tables')
    }
    if (tables.some(({ period }) => period === undefined || period !== tables[0]!.period)) {
      throw new Broken('alignment')
    }
    const keyOf = ({ types }: NaiveTable, { fields }: NaiveSeries) =>
      JSON.stringify(
        Object.keys(types)
          .sort()
          .map((name) => [name, types[name], fields[name]]),
      )
    const sides = tables.map((table) =>
      table.series.map((one) => [keyOf(table, one), one] as const),
    )
    const keys = new Set(sides.flatMap((side) => side.map(([key]) => key)))
    const series = [...keys].map((key) => {
      const members = sides.map((side) => {
        const found = side.find(([own]) => own === key)
        if (!found) throw new Broken('unmatched')
        return found[1]
      })
      const points = members[0]!.points.flatMap(({ at }) => {
        const those = members.map((one) => one.points.find((point) => point.at === at))
        if (those.includes(undefined)) return []
        return [{ at, values: those.flatMap((point) => point!.values) }]
      })
      return { fields: members[0]!.fields, points }
    })
    return {
      ...tables[0]!,
      names: tables.flatMap(({ names }) => names),
      series: series.filter(({ points }) => points.length > 0),
    }
  }

  const apply = (operation: Operation, tables: NaiveTable[]): NaiveTable[] => {
    switch (operation.kind) {
      case 'filter':
        return tables.map((table) => filter(operation.expression, table))
      case 'align':
        if (operation.method === 'interpolate') throw new Broken('interpolate')
        return tables.map((table) => align(table, duration(operation.period)))
      case 'group_by':
        return [groupBy(tables, operation)]
      case 'join':
        return [join(tables)]
      case 'first':
      case 'last':
        return tables.map((table) => ({
          ...table,
          series: table.series.map(({ fields, points }) => ({
            fields,
            points:
              operation.kind === 'first'
                ? points.slice(0, operation.count)
                : points.slice(-operation.count),
          })),
        }))
      default:
        throw new Error('not a query')
    }
  }

  return run(query, [])
}

function shapeOf(schema: TimeseriesSchema) {
  return {
    types: Object.fromEntries(schema.fields.map(({ name, fieldType }) => [name, fieldType])),
    delta: schema.datumType.startsWith('cumulative'),
    numeric: schema.datumType !== 'bool',
  }
}

function gaugeMean(points: NaivePoint[], end: number, period: number): number | null {
  const inside = points.filter(({ at }) => at > end - period && at <= end)
  const present = inside.map(({ values }) => values[0]!).filter((value) => value !== null)
  if (present.length === 0) return null
  return present.reduce((sum, value) => sum + value, 0) / inside.length
}

function deltaMean(points: NaivePoint[], end: number, period: number): number | null {
  const begin = end - period
  const inside = points.filter(({ at }) => at > begin && at <= end).length
  const parts = points.flatMap(({ at, since, values }) => {
    const [value] = values
    if (value === null || value === undefined) return []
    if (at === since) return at > begin && at <= end ? [value] : []
    const overlap = Math.min(at, end) - Math.max(since!, begin)
    return overlap > 0 ? [(value * overlap) / (at - since!)] : []
  })
  if (parts.length === 0) return null
  return parts.reduce((sum, part) => sum + part, 0) / Math.max(1, inside)
}
