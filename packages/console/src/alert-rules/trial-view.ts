/** What a trial of a rule says, as a chart and in words. */
import type { AlertRuleTrialResult } from '@steading/api/client'
import { counted } from '@steading/api/rules'
import { type ChartData, type ChartFormat, shortCount } from '../ui/charts/chart-data.ts'

export type Fields = Record<string, unknown>

/** Series that a chart shows; the others are in the list. */
const SHOWN = 10

/** The fields in which series differ. */
function differing(all: readonly Fields[]): string[] {
  const [first = {}] = all
  return Object.keys(first).filter((name) => all.some((fields) => fields[name] !== first[name]))
}

const short = (value: unknown) => {
  const text = String(value)
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text) ? text.slice(0, 8) : text
}

/** What to call each of some series: by the fields in which they differ. */
export function seriesNames(all: readonly Fields[]): string[] {
  const names = differing(all)
  return all.map(
    (fields, index) =>
      names.map((name) => `${name} ${short(fields[name])}`).join(', ') ||
      (all.length > 1 ? `Series ${index + 1}` : 'Value'),
  )
}

/** The chart, with the threshold as a line of its own. */
export function chartOf(
  { series, timeFrom, timeTo }: AlertRuleTrialResult,
  threshold: number | null,
): ChartData {
  const shown = series.filter(({ points }) => points).slice(0, SHOWN)
  if (shown.length === 0) return { times: [], series: [] }
  const names = seriesNames(shown.map(({ fields }) => fields as Fields))
  const valuesOf = shown.map(
    ({ points }) =>
      // The client makes dates of single times, not of lists of them.
      new Map(points!.timestamps.map((time, at) => [new Date(time).getTime(), points!.values[at]])),
  )
  const found = new Set(valuesOf.flatMap((values) => [...values.keys()]))
  const edges = [timeFrom.getTime(), timeTo.getTime()]
  const times = [...new Set([...found, ...edges])].toSorted((a, b) => a - b)
  return {
    times,
    series: [
      ...shown.map((_, index) => ({
        name: names[index]!,
        values: times.map((time) => valuesOf[index]!.get(time) ?? null),
      })),
      ...(threshold === null ? [] : [{ name: 'Threshold', values: times.map(() => threshold) }]),
    ],
  }
}

export const formatOf = (units: string | null): ChartFormat => ({
  tick: shortCount,
  value: (value) =>
    units && units !== 'none'
      ? `${shortCount(value)} ${units.replaceAll('_', ' ')}`
      : shortCount(value),
})

/** `Would have fired 3 times in the last 24 hours, for 2 series`. */
export function trialSentence({ firings, series }: AlertRuleTrialResult, hours: number): string {
  const past = `in the last ${counted(hours, 'hour')}`
  if (series.length === 0) return `The query found nothing ${past}`
  if (firings === 0) {
    return `Would not have fired ${past}, in which there were ${counted(series.length, 'series', 'series')}`
  }
  const times = firings === 1 ? 'once' : `${firings} times`
  const many = series.filter((one) => one.firings.length > 0).length
  return `Would have fired ${times} ${past}, for ${counted(many, 'series', 'series')}`
}
