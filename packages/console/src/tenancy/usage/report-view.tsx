/** A report of use: choices, totals, a chart of days, and lines. */
import type { UsageGrouping, UsageReport } from '@steading/api/client'
import { startsOfDays } from '@steading/api/days'
import {
  tagKeyProblem,
  type UsageMetric,
  usageMetrics,
  usageMetricTable,
} from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { ChartNoAxesColumn } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { apiQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { ownTimeZone } from '../../ui/time.tsx'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Card } from '../../ui/card.tsx'
import { ChartCard } from '../../ui/charts/chart-card.tsx'
import { shortCount } from '../../ui/charts/chart-data.ts'
import { ChartGroup } from '../../ui/charts/chart-group.tsx'
import type { Column } from '../../ui/column.ts'
import { Listbox } from '../../ui/form/listbox-field.tsx'
import { copyAction, type MenuAction } from '../../ui/menu-action.ts'
import { capitalized } from '../../ui/list-controls/count-text.ts'
import { formatNumber } from '../../ui/number.ts'
import { Table } from '../../ui/table.tsx'
import { Strong } from '../../ui/text.tsx'
import { DateTime } from '../../ui/time.tsx'
import {
  type Amount,
  type Line,
  monthLabel,
  monthsOf,
  type Question,
  type UsageSearch,
} from './question.ts'
import { costText, placeText, quantityIn, quantityText } from './labels.ts'

const groupLabels: Record<UsageGrouping, string> = {
  total: 'Total',
  silo: 'By silo',
  project: 'By project',
}

type ControlsProps = {
  question: Question
  groupings: readonly UsageGrouping[]
  onChange: (change: UsageSearch) => void
  /** Choice of a silo or project. */
  children: ReactNode
}

/** The choices of a report. */
export function ReportControls({ question, groupings, onChange, children }: ControlsProps) {
  const { month, timeZone, groupBy } = question
  const zones = [...new Set(['UTC', ownTimeZone(), timeZone])]
  const [months] = useState(() => monthsOf(new Date()))
  return (
    <div className="grid grid-cols-2 items-start gap-2 px-(--gutter) sm:flex sm:flex-wrap">
      <Listbox
        aria-label="Month"
        className="sm:w-44"
        options={(months.includes(month) ? months : [month, ...months]).map((value) => ({
          value,
          label: monthLabel(value),
        }))}
        value={month}
        onChange={(value) => onChange({ month: value })}
      />
      {children}
      <Listbox
        aria-label="Group by"
        className="sm:w-36"
        options={groupings.map((value) => ({ value, label: groupLabels[value] }))}
        value={groupBy}
        onChange={(by) => onChange({ by })}
      />
      <TagKey
        key={question.tagKey}
        tagKey={question.tagKey}
        onChange={(tag) => onChange({ tag })}
      />
      <Listbox
        aria-label="Time zone of days"
        className="max-sm:col-span-2 sm:w-44"
        options={zones.map((value) => ({ value, label: value }))}
        value={timeZone}
        onChange={(zone) => onChange({ zone })}
      />
    </div>
  )
}

type TagKeyProps = { tagKey: string | undefined; onChange: (key: string | undefined) => void }

/**
 * The key of the tag by which lines are divided; applied by Enter, by choosing one in use, and on
 * leaving the field.
 */
function TagKey({ tagKey = '', onChange }: TagKeyProps) {
  const id = useId()
  const [text, setText] = useState(tagKey)
  const key = text.trim()
  const problem = key === '' ? undefined : tagKeyProblem(key)
  const supported = useCapability('tagGroups')
  // Suggestions only: the field works without them.
  const { data } = useQuery({ ...apiQuery('tagKeyList', { query: {} }), enabled: supported })
  const apply = () => {
    if (key !== tagKey && problem === undefined) onChange(key === '' ? undefined : key)
  }
  return (
    <form
      className="flex flex-col gap-1 sm:w-44"
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      <input
        aria-label="Key of a tag"
        placeholder="Tag, such as env"
        className="field-control"
        list={`${id}-keys`}
        autoComplete="off"
        value={text}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem && id}
        onChange={(event) => setText(event.target.value)}
        onBlur={apply}
      />
      <datalist id={`${id}-keys`}>
        {data?.keys.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </datalist>
      {problem && (
        <p id={id} role="alert" className="text-xs text-red-text">
          {capitalized(problem)}
        </p>
      )}
    </form>
  )
}

const amountColumns = (currency: string | null): Column<Amount>[] => [
  { id: 'metric', header: 'use', cell: ({ metric }) => usageMetricTable[metric].label },
  {
    id: 'quantity',
    header: 'quantity',
    align: 'end',
    width: 220,
    phone: 'first',
    cell: ({ metric, quantity }) => (
      <>
        {quantityText(quantity)}{' '}
        <span className="text-tertiary">{usageMetricTable[metric].unit}s</span>
      </>
    ),
  },
  ...(currency === null
    ? []
    : [
        {
          id: 'cost',
          header: 'cost',
          align: 'end' as const,
          width: 160,
          phone: 'second' as const,
          labelled: true as const,
          cell: ({ cost }: Amount) => cost !== null && costText(cost, currency),
        },
      ]),
]

/** The metrics with any use, in the order of the contract. */
const metricsIn = ({ total }: UsageReport): UsageMetric[] =>
  usageMetrics.filter((metric) => quantityIn(total.amounts, metric) !== undefined)

type Row = Line & { id?: undefined; key: string; isTotal: boolean }

function lineColumns(report: UsageReport, tagKey: string | undefined): Column<Row>[] {
  const { groupBy, currency } = report
  const strong = (isTotal: boolean, text: string) => (isTotal ? <Strong>{text}</Strong> : text)
  const names: Column<Row>[] = []
  if (groupBy !== 'total') {
    names.push({
      id: 'silo',
      header: 'silo',
      cell: ({ silo, isTotal }) => (isTotal ? <Strong>Total</Strong> : placeText(silo)),
    })
  }
  if (groupBy === 'project') {
    names.push({
      id: 'project',
      header: 'project',
      phone: 'first',
      cell: ({ project, isTotal }) =>
        isTotal ? null : project ? (
          placeText(project)
        ) : (
          <span className="text-tertiary">of the silo</span>
        ),
    })
  }
  if (tagKey !== undefined) {
    names.push({
      id: 'tag',
      header: `tag ${tagKey}`,
      phone: 'first',
      cell: ({ tagValue, isTotal }) =>
        isTotal ? (
          names.length === 1 && <Strong>Total</Strong>
        ) : tagValue === null ? (
          <span className="text-tertiary">without</span>
        ) : (
          tagValue || <span className="text-tertiary">without a value</span>
        ),
    })
  }
  return [
    ...names,
    // The reason for most visits, so it stays in view on narrow screens.
    ...(currency === null
      ? []
      : [
          {
            id: 'cost',
            header: 'cost',
            align: 'end' as const,
            width: 144,
            phone: 'second' as const,
            labelled: true as const,
            cell: ({ cost, isTotal }: Row) =>
              cost === null ? null : strong(isTotal, costText(cost, currency)),
          },
        ]),
    ...metricsIn(report).map((metric): Column<Row> => ({
      id: metric,
      header: usageMetricTable[metric].label,
      align: 'end',
      width: 128,
      cell: ({ amounts, isTotal }) => {
        const quantity = quantityIn(amounts, metric)
        return quantity === undefined ? null : strong(isTotal, quantityText(quantity))
      },
    })),
  ]
}

const copies = ({ silo, project, tagValue, amounts }: Row): MenuAction[] => [
  ...(silo ? [copyAction('Copy silo ID', silo.id)] : []),
  ...(project ? [copyAction('Copy project ID', project.id)] : []),
  ...(tagValue ? [copyAction('Copy value', tagValue)] : []),
  copyAction(
    'Copy exact quantities',
    amounts.map(({ metric, quantity }) => `${metric} ${quantity}`).join('\n'),
  ),
]

const COST = 'cost'

/** Use on each day: of one metric, or the costs. */
function DaysChart({ report, error, onRetry, question }: ChartProps) {
  const [chosen, setChosen] = useState<string>()
  const metrics = report ? metricsIn(report) : []
  const options = [
    ...metrics.map((metric) => ({
      value: metric as string,
      label: usageMetricTable[metric].label as string,
    })),
    ...(report && report.currency !== null ? [{ value: COST, label: 'Cost' }] : []),
  ]
  const value = options.find((option) => option.value === chosen)?.value ?? options[0]?.value
  const starts = startsOfDays(question.firstDay, question.lastDay, question.timeZone)
  const range = { from: starts[0]!.start, to: starts.at(-1)!.start }
  const isCost = value === COST
  const unit = isCost ? report!.currency! : value && usageMetricTable[value as UsageMetric].unit
  const valueOf = ({ amounts, cost }: UsageReport['days'][number]) =>
    Number((isCost ? cost : quantityIn(amounts, value as UsageMetric)) ?? 0)
  return (
    <div className="flex flex-col gap-3 px-(--gutter)">
      <Listbox
        aria-label="Use in the chart"
        className="w-44"
        options={options}
        value={value ?? null}
        placeholder="No use"
        onChange={setChosen}
      />
      <ChartGroup range={range}>
        <ChartCard
          title="By day"
          unit={unit && (isCost ? unit : `${unit}s`)}
          description={`Days are those of ${question.timeZone}`}
          data={
            report && {
              times: value
                ? [
                    ...report.days.map((_, index) => starts[index]!.start),
                    ...(report.days.length > 0 ? [report.timeEnd.getTime()] : []),
                  ]
                : [],
              series: value
                ? [
                    {
                      name: options.find((option) => option.value === value)!.label,
                      values: [...report.days, ...report.days.slice(-1)].map(valueOf),
                    },
                  ]
                : [],
            }
          }
          error={error}
          onRetry={onRetry}
          range={range}
          stepped
          format={{ tick: shortCount, value: formatNumber }}
        />
      </ChartGroup>
    </div>
  )
}

type ChartProps = {
  report: UsageReport | undefined
  error: unknown
  onRetry: () => Promise<unknown>
  question: Question
}

type ViewProps = {
  question: Question
  read: { data: UsageReport | undefined; error: unknown; refetch: () => Promise<unknown> }
}

/** A report; while it loads, its parts keep their place. */
export function ReportView({ question, read: { data: report, error, refetch } }: ViewProps) {
  const { tagKey } = question
  const total: Row | undefined = report && {
    ...report.total,
    silo: null,
    project: null,
    tagValue: null,
    key: 'total',
    isTotal: true,
  }
  const rows =
    report &&
    (report.lines.length === 0
      ? []
      : [
          ...report.lines.map((line, index): Row => ({
            ...line,
            key: String(index),
            isTotal: false,
          })),
          total!,
        ])
  const lines = report ? lineColumns(report, tagKey) : []
  const isDivided = question.groupBy !== 'total' || tagKey !== undefined
  return (
    <>
      {report && <Notes report={report} />}
      <Card
        title={`Usage in ${monthLabel(question.month)}`}
        description={
          report?.currency != null && report.total.cost !== null
            ? `Total cost ${costText(report.total.cost, report.currency)}`
            : undefined
        }
      >
        <LoadedTable
          what="The usage"
          label="Use by metric"
          columns={amountColumns(report?.currency ?? null)}
          rowKey={({ metric }) => metric}
          read={{ rows: report?.total.amounts, error, refetch }}
          empty={{
            icon: ChartNoAxesColumn,
            title: 'No use',
            body: 'Nothing was used in this month',
          }}
        />
      </Card>
      {isDivided && rows && rows.length > 0 && (
        <Card title={question.groupBy === 'total' ? 'By tag' : groupLabels[question.groupBy]}>
          <Table
            label="Use by line"
            columns={lines}
            rows={rows}
            rowKey={({ key }) => key}
            actions={copies}
          />
        </Card>
      )}
      <DaysChart report={report} error={error} onRetry={refetch} question={question} />
    </>
  )
}

/** Limits of what is known about the days. */
function Notes({ report }: { report: UsageReport }) {
  const early = report.timeRecordedSince > report.timeStart
  const unpriced =
    report.pricedSince !== null &&
    new Date(`${report.pricedSince}T00:00:00Z`) > report.timeStart &&
    report.pricedSince
  if (!early && !unpriced) return null
  return (
    <div className="flex flex-col gap-2 px-(--gutter)">
      {early && (
        <Banner>
          Use is recorded since <DateTime date={report.timeRecordedSince} />. Use before is derived
          from resources that existed then: it is approximate for instances, and deleted resources
          are missing.
        </Banner>
      )}
      {unpriced && <Banner>Use before {unpriced} (UTC) has no price, and costs nothing.</Banner>}
    </div>
  )
}
