/** The result of a rule's trial, as a chart and in words. */
import type { AlertRuleTrialResult } from '@steading/api/client'
import { counted } from '@steading/api/rules'
import type { NameOfId } from '../timeseries/series-names.ts'
import { type UnitFormat, unitFormat } from '../timeseries/unit-format.ts'
import type { ChartBands, ChartData } from '../../ui/charts/chart-data.ts'

export type Fields = Record<string, unknown>

/** Maximum number of series in the chart; the list has the others. */
const SHOWN = 10

/** The fields that differ between series. */
function differing(all: readonly Fields[]): string[] {
  const [first = {}] = all
  return Object.keys(first).filter((name) => all.some((fields) => fields[name] !== first[name]))
}

/** A field as a word: "sledSerial" is "sled serial", and "instanceId" is "instance". */
const fieldWord = (name: string) =>
  name.replace(/Id$/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/**
 * A field in words: the name of its instance or disk, or its value.
 * @param isAlone a text speaks for itself, if no other field is beside it
 */
function fieldText(name: string, value: unknown, nameOf: NameOfId, isAlone: boolean): string {
  const text = String(value)
  if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text)) {
    return nameOf(text) ?? `${fieldWord(name)} ${text.slice(0, 8)}`
  }
  return isAlone && Number.isNaN(Number(text)) ? text : `${fieldWord(name)} ${text}`
}

/** Names of series, from the fields that differ between them; a single one is that of its resources. */
export function seriesNames(all: readonly Fields[], nameOf: NameOfId = () => undefined): string[] {
  const [first = {}] = all
  const names =
    all.length === 1
      ? Object.keys(first).filter((name) => nameOf(String(first[name])) !== undefined)
      : differing(all)
  return all.map(
    (fields, index) =>
      names.map((name) => fieldText(name, fields[name], nameOf, names.length === 1)).join(', ') ||
      (all.length > 1 ? `Series ${index + 1}` : 'Value'),
  )
}

export type TrialChart = { data: ChartData; format: UnitFormat }

/** The chart, with the threshold as an additional line. */
export function chartOf(
  { series, timeFrom, timeTo, units }: AlertRuleTrialResult,
  threshold: number | null,
  nameOf?: NameOfId,
): TrialChart {
  const shown = series.filter(({ points }) => points).slice(0, SHOWN)
  const max = shown.reduce(
    (most, { points }) =>
      points!.values.reduce<number>((so, value) => Math.max(so, Math.abs(value ?? 0)), most),
    Math.abs(threshold ?? 0),
  )
  const format = unitFormat(units, max)
  if (shown.length === 0) return { format, data: { times: [], series: [] } }
  const scaled = (value: number | null | undefined) => (value == null ? null : value / format.size)
  const names = seriesNames(
    shown.map(({ fields }) => fields as Fields),
    nameOf,
  )
  const valuesOf = shown.map(
    ({ points }) =>
      // The client converts single times to dates, but not lists of times.
      new Map(points!.timestamps.map((time, at) => [new Date(time).getTime(), points!.values[at]])),
  )
  const found = new Set(valuesOf.flatMap((values) => [...values.keys()]))
  const edges = [timeFrom.getTime(), timeTo.getTime()]
  const times = [...new Set([...found, ...edges])].toSorted((a, b) => a - b)
  const line = scaled(threshold)
  return {
    format,
    data: {
      times,
      series: [
        ...shown.map((_, index) => ({
          name: names[index]!,
          values: times.map((time) => scaled(valuesOf[index]!.get(time))),
        })),
        ...(line === null ? [] : [{ name: 'Threshold', values: times.map(() => line) }]),
      ],
    },
  }
}

/** Firing times of the series; ongoing ones extend to the end of the chart. */
export const bandsOf = (
  name: string,
  firings: readonly { timeFired: Date; timeResolved: Date | null }[],
  end: Date,
): ChartBands => ({
  name,
  spans: firings.map(({ timeFired, timeResolved }) => ({
    from: timeFired.getTime(),
    to: (timeResolved ?? end).getTime(),
  })),
})

/** `Would have fired 3 times in the last 24 hours, for 2 series`. */
export function trialSentence({ firings, series }: AlertRuleTrialResult, hours: number): string {
  const past = `in the last ${counted(hours, 'hour')}`
  if (series.length === 0) return `The query found nothing ${past}`
  if (firings === 0) {
    return `Would not have fired ${past}, for ${counted(series.length, 'series', 'series')}`
  }
  const times = firings === 1 ? 'once' : `${firings} times`
  const many = series.filter((one) => one.firings.length > 0).length
  return `Would have fired ${times} ${past}, for ${counted(many, 'series', 'series')}`
}
