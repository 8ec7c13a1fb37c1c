import { ChartSpline, CircleSlash, RotateCw, TriangleAlert, ZoomOut } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { Button } from '../button.tsx'
import { Menu } from '../menu.tsx'
import type { MenuAction } from '../menu-action.ts'
import {
  type ChartBands,
  type ChartData,
  type ChartFormat,
  spansWithin,
  within,
} from './chart-data.ts'
import { DataTable } from './data-table.tsx'
import { Legend } from './legend.tsx'
import type { Plot } from './plot.ts'
import { PlotView } from './plot-view.tsx'
import { saveCsv, savePng } from './save-chart.ts'
import { type Span, useSharedView } from './zoom.ts'

export type ChartCardProps = {
  title: string
  /** Undefined without data. */
  unit: string | undefined
  description?: ReactNode
  /** Undefined until loaded; empty without series or times. */
  data: ChartData | undefined
  /** Expected time of the first point, shown when there is no data. */
  whenEmpty?: string | undefined
  error: unknown
  /** The control plane does not offer the values, so retrying is pointless. */
  notOffered?: boolean
  onRetry: () => Promise<unknown>
  range: Span
  /** Draw steps: each value holds until the next point. */
  stepped?: boolean
  /** Highlighted times. */
  bands?: ChartBands
  format: ChartFormat
  actions?: MenuAction[]
}

const icon = { size: 20, strokeWidth: 1.5, 'aria-hidden': true } as const

/** A chart in a card whose size is the same while loading, empty or failed. */
export function ChartCard(props: ChartCardProps) {
  const { title, unit, description, data, error, onRetry, range, stepped = false, format } = props
  const { bands, actions = [], whenEmpty, notOffered = false } = props
  const { zoom, setZoom } = useSharedView()
  const id = useId()
  const [plot, setPlot] = useState<Plot>()
  const [asTable, setAsTable] = useState(false)
  const filled = data && data.series.length > 0 && data.times.length > 0 ? data : undefined
  const span = zoom ?? range
  const shown = filled && within(filled, span)
  const shownBands = bands && { ...bands, spans: spansWithin(bands.spans, span) }
  const exports: MenuAction[] = filled
    ? [
        {
          label: asTable ? 'Show as chart' : 'Show as table',
          onAction: () => setAsTable(!asTable),
          local: true,
        },
        { label: 'Export as CSV', onAction: () => saveCsv(title, shown!), local: true },
        {
          label: 'Export as PNG',
          onAction: () => void (plot && savePng(title, filled, shownBands, plot)),
          disabledReason: asTable && 'The chart is shown as a table',
          local: true,
        },
        { label: 'Print', onAction: () => print(), local: true },
      ]
    : []
  const menu = [...actions, ...exports]
  return (
    <figure
      aria-labelledby={id}
      className="min-w-0 overflow-clip rounded-card border bg-raised break-inside-avoid"
    >
      <figcaption className="flex min-h-12 items-center gap-2 px-4 py-2">
        <div className="min-w-0 flex-1">
          <h2 id={id} className="text-base font-medium">
            {title} {unit && <span className="text-sm font-normal text-tertiary">({unit})</span>}
          </h2>
          {description && <p className="text-xs text-secondary">{description}</p>}
        </div>
        {zoom && filled && (
          <Button
            size="sm"
            icon={<ZoomOut size={14} strokeWidth={1.5} aria-hidden />}
            onClick={() => setZoom(undefined)}
          >
            Zoom out
          </Button>
        )}
        {menu.length > 0 && <Menu label={`${title} chart actions`} items={menu} />}
      </figcaption>
      <div className="min-h-75">
        {shown && filled ? (
          asTable ? (
            <DataTable title={title} data={shown} bands={bands} format={format} />
          ) : (
            <PlotView
              title={title}
              data={filled}
              range={range}
              stepped={stepped}
              bands={bands}
              format={format}
              onPlot={setPlot}
            />
          )
        ) : error && notOffered ? (
          <ChartNote
            alert
            icon={<CircleSlash {...icon} className="text-tertiary" />}
            title="Not available here"
            body="This control plane does not offer the values of this chart."
          />
        ) : error ? (
          <ChartNote
            alert
            icon={<TriangleAlert {...icon} className="text-red-text" />}
            title="Something went wrong"
            body="Please try again. If the problem persists, contact your administrator."
            action={
              <Button
                icon={<RotateCw size={14} strokeWidth={1.5} aria-hidden />}
                onClick={() => void onRetry()}
              >
                Try again
              </Button>
            }
          />
        ) : data ? (
          <ChartNote
            icon={<ChartSpline {...icon} className="text-tertiary" />}
            title="No data"
            body="There is no data for this time period."
            more={whenEmpty}
          />
        ) : (
          <ChartLoading />
        )}
      </div>
      {shown ? (
        <Legend title={title} data={shown} bands={shownBands} format={format} />
      ) : (
        <LegendRoom />
      )}
    </figure>
  )
}

/** As high as a legend with one series. */
const LegendRoom = () => <div className="h-[57px] border-t" />

export const ChartLoading = () => (
  <div role="status" aria-label="Chart loading" className="flex h-75 items-end gap-1 p-4">
    {[40, 48, 44, 60, 56, 72, 68, 64].map((height) => (
      <div
        key={height}
        className="flex-1 animate-pulse rounded-sm bg-skeleton"
        style={{ height: `${height}%` }}
      />
    ))}
  </div>
)

type NoteProps = {
  icon: ReactNode
  title: string
  body: string
  more?: string | undefined
  action?: ReactNode
  alert?: boolean
}

const ChartNote = ({ icon, title, body, more, action, alert = false }: NoteProps) => (
  <div
    role={alert ? 'alert' : undefined}
    className="flex h-75 flex-col items-center justify-center gap-1 px-4 text-center"
  >
    {icon}
    <p className="mt-1 font-medium">{title}</p>
    <p className="max-w-sm text-balance text-secondary">{body}</p>
    {more && <p className="max-w-sm text-balance text-secondary">{more}</p>}
    {action && <div className="mt-3">{action}</div>}
  </div>
)
