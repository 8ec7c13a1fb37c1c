import { csvLine, type UsageMetric, usageMetricTable } from '@steading/api/rules'
import type { PriceList, UsageReport } from '@steading/api/client'
import { apiQuery } from '../../data/api.ts'
import { download } from '../../page/download.ts'
import { saveFile } from '../../ui/save-file.ts'
import { formatNumber } from '../../ui/number.ts'
import type { Amount, Line } from './question.ts'

const LEAST = 0.01

/** `1,234.56`: a quantity with two decimals at most; `< 0.01` for less than they can show. */
export function quantityText(quantity: string): string {
  const value = Number(quantity)
  return value > 0 && value < LEAST ? `< ${formatNumber(LEAST)}` : formatNumber(value)
}

/** A cost with its currency, in the browser's language. The number is exact, so it stays a text. */
export const costText = (cost: string, currency: string): string =>
  new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(
    cost as Intl.StringNumericLiteral,
  )

export const quantityIn = (amounts: readonly Amount[], metric: UsageMetric): string | undefined =>
  amounts.find((one) => one.metric === metric)?.quantity

type Place = Line['silo']

export const placeText = (place: Place): string =>
  place ? `${place.name ?? place.id}${place.deleted ? ' (deleted)' : ''}` : ''

/** Saves the lines of a report, a row for each line and metric. */
export function saveLines(report: UsageReport, tagKey: string | undefined): void {
  const { currency } = report
  const header = [
    'first_day',
    'last_day',
    'time_zone',
    'silo',
    'silo_id',
    'project',
    'project_id',
    ...(tagKey === undefined ? [] : [`tag ${tagKey}`]),
    'metric',
    'unit',
    'quantity',
    ...(currency === null ? [] : ['currency', 'cost']),
  ]
  const rows = report.lines.flatMap(({ silo, project, tagValue, amounts }) =>
    amounts.map(({ metric, quantity, cost }) => [
      report.firstDay,
      report.lastDay,
      report.timeZone,
      silo?.name,
      silo?.id,
      project?.name,
      project?.id,
      ...(tagKey === undefined ? [] : [tagValue]),
      metric,
      usageMetricTable[metric].unit,
      Number(quantity),
      ...(currency === null ? [] : [currency, Number(cost)]),
    ]),
  )
  const text = [header, ...rows].map(csvLine).join('')
  saveFile(`usage-${report.firstDay}-${report.lastDay}.csv`, [text], 'text/csv')
}

/** Saves the records of some days, as the control plane sends them. */
export function saveRecords(
  path: '/x/v1/usage/records' | '/x/v1/system/usage/records',
  query: Record<'first_day' | 'last_day', string> & Record<string, string | undefined>,
): Promise<void> {
  const given = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1])
  return download(
    `${path}?${new URLSearchParams(given)}`,
    `usage-records-${query.first_day}-${query.last_day}.csv`,
    'Could not export the records',
  )
}

export type PriceVersion = PriceList['versions'][number]

/** Metric → its name in the client's types. */
export const priceNames = {
  vcpu: 'vcpu',
  memory: 'memory',
  disk: 'disk',
  snapshot: 'snapshot',
  image: 'image',
  ephemeral_ip: 'ephemeralIp',
  floating_ip: 'floatingIp',
  external_subnet: 'externalSubnet',
} as const satisfies Record<UsageMetric, keyof PriceVersion['prices']>

export const priceListQuery = apiQuery('priceListView', {})
