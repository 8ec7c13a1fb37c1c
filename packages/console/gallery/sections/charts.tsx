import { useState } from 'react'
import { ChartCard } from '../../src/ui/charts/chart-card.tsx'
import { ChartGroup } from '../../src/ui/charts/chart-group.tsx'
import { type ChartData, formatShort } from '../../src/ui/charts/chart-data.ts'
import { DataTable } from '../../src/ui/charts/data-table.tsx'
import { RefreshInterval } from '../../src/ui/charts/refresh-interval.tsx'
import { SmallChart } from '../../src/ui/charts/small-chart.tsx'
import { Sparkline } from '../../src/ui/charts/sparkline.tsx'
import { TimeRangePicker } from '../../src/ui/charts/time-range-picker.tsx'
import { longPresets } from '../../src/ui/charts/time-range.ts'
import { useTimeRange } from '../../src/ui/charts/use-time-range.ts'
import { Columns, Specimen } from '../section.tsx'

const END = Date.parse('2026-03-04T12:00:00Z')
const MINUTE = 60_000
const times = Array.from({ length: 61 }, (_, index) => END - (60 - index) * MINUTE)
const range = { from: times[0]!, to: END }

const wave = (height: number, shift: number) =>
  times.map((_, index) => Math.round(50 + height * Math.sin(index / 6 + shift)))
const withGap = wave(20, 4).map((value, index) => (index > 25 && index < 33 ? null : value))

const data: ChartData = {
  times,
  series: [
    { name: 'api-1', values: wave(30, 0) },
    { name: 'api-2', values: wave(18, 2) },
    { name: 'worker, not measured for a while', values: withGap },
  ],
}
const bands = { name: 'Alert', spans: [{ from: END - 20 * MINUTE, to: END - 12 * MINUTE }] }

const sparklines = [
  { name: 'Sparkline', values: wave(30, 0), hue: '--blue-solid' },
  { name: 'Sparkline with a gap', values: withGap, hue: '--violet-solid' },
  { name: 'Sparkline of small values', values: times.map(() => 1), hue: '--green-solid' },
]

const percent = { tick: (value: number) => `${value}`, value: (value: number) => `${value} %` }
const parts = (value: number) => ({ amount: String(Math.round(value)), unit: '%' })
const small = { tick: formatShort, parts }

const retry = async () => {}
const common = { unit: '%', error: undefined, onRetry: retry, range, format: percent }

const failed = { ...common, data: undefined, error: new Error('No answer') }

export function Charts() {
  const time = useTimeRange(longPresets)
  return (
    <>
      <Specimen name="Range and refresh">
        <TimeRangePicker time={time} />
        <RefreshInterval standing onTick={() => {}} onRefresh={retry} />
      </Specimen>
      <ChartGroup range={range}>
        <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
          <ChartCard
            {...common}
            title="CPU"
            description="Of all instances"
            data={data}
            bands={bands}
            actions={[{ label: 'Query', onAction: () => {}, local: true }]}
          />
          <ChartCard
            {...common}
            title="Memory"
            data={{ times, series: [data.series[1]!] }}
            stepped
          />
          <ChartCard {...common} title="Loading" data={undefined} />
          <ChartCard
            {...common}
            title="Empty"
            data={{ times: [], series: [] }}
            whenEmpty="The first point is expected in a minute."
          />
          <ChartCard {...failed} title="Failed" />
          <ChartCard {...failed} title="Not offered" notOffered />
        </div>
      </ChartGroup>
    </>
  )
}

export function SmallCharts() {
  const [hoveredAt, onHover] = useState<number>()
  const hover = { hoveredAt, onHover }
  return (
    <>
      <div className="grid grid-cols-3 divide-x rounded-card border bg-raised max-sm:grid-cols-1">
        <SmallChart
          {...hover}
          title="CPU"
          times={times}
          values={wave(30, 0)}
          format={small}
          hue="--blue-solid"
        />
        <SmallChart
          {...hover}
          title="With a gap"
          times={times}
          values={withGap}
          format={small}
          hue="--violet-solid"
        />
        <SmallChart
          {...hover}
          title="Not measured"
          times={times}
          values={times.map(() => null)}
          format={small}
          hue="--green-solid"
        />
      </div>
      <Columns>
        {sparklines.map(({ name, values, hue }) => (
          <Specimen key={name} name={name}>
            <Sparkline values={values} least={10} hue={hue} />
          </Specimen>
        ))}
      </Columns>
      <div className="overflow-hidden rounded-card border bg-raised">
        <DataTable title="CPU" data={data} bands={bands} format={percent} />
      </div>
    </>
  )
}
