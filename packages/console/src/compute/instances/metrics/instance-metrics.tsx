import type { InstanceNetworkInterface, Disk } from '@steading/api/client'
import { unmeasuredNetwork } from '@steading/api/rules'
import { useQuery, keepPreviousData } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Activity } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { useCapability } from '../../../data/capabilities.ts'
import { isNotOffered } from '../../../data/errors.ts'
import {
  instanceDisksQuery,
  instanceNetworkQuery,
  instanceNicsQuery,
  useInstance,
  useInstanceParams,
} from '../queries.ts'
import { LoadError } from '../../../page/load-error.tsx'
import { useAboutMetric } from '../../../ui/docs-links.tsx'
import {
  type ExplorerSearch,
  explorerPath,
  searchOfSpan,
} from '../../../observability/timeseries/explorer-link.ts'
import { timeseriesQuery } from '../../../observability/timeseries/run-query.ts'
import { ChartCard } from '../../../ui/charts/chart-card.tsx'
import { ChartGroup } from '../../../ui/charts/chart-group.tsx'
import { TimeRangePicker } from '../../../ui/charts/time-range-picker.tsx'
import { CUSTOM, shortPresets } from '../../../ui/charts/time-range.ts'
import { useTicks } from '../../../ui/charts/use-ticks.ts'
import { useTimeRange } from '../../../ui/charts/use-time-range.ts'
import type { Span } from '../../../ui/charts/zoom.ts'
import { DialogPart } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Listbox } from '../../../ui/form/listbox-field.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { RouteTab, RouteTabs } from '../../../ui/tabs.tsx'
import {
  cpuMetric,
  type CpuState,
  cpuStateLabel,
  cpuStateNames,
  diskMetrics,
  firstPointOf,
  type Metric,
  networkMetrics,
  queryOf,
  querySteps,
  inReadableUnit,
  ungroupedQueryOf,
  untimedQueryOf,
} from './metric-queries.ts'
import { LoadButton, LoadNotice } from './simulated-load.tsx'

const QueryModal = lazyPart(() =>
  import('./query-modal.tsx').then((m) => ({ default: m.QueryModal })),
)

/**
 * Milliseconds between moves of a preset's range; equals the sampling interval of disks and
 * interfaces.
 */
const SLIDE_MS = 10_000

const tabs = [
  { label: 'CPU', subject: 'cpu' },
  { label: 'Disk', subject: 'disk' },
  { label: 'Network', subject: 'network' },
] as const

/** The metrics of an instance; its three tabs share one time range. */
export function InstanceMetrics() {
  const params = useInstanceParams()
  const time = useTimeRange(shortPresets)
  const { subject } = useParams({
    from: '/shell/projects-crumb/projects/$project/instances-crumb/instances/$instance/tabs/metrics/$subject',
  })
  const moves = time.choice !== CUSTOM
  const [zoomed, setZoomed] = useState(false)
  useTicks(moves && !zoomed ? SLIDE_MS : 0, time.slide)
  const onZoomed = (now: boolean) => {
    setZoomed(now)
    if (!now) time.slide()
  }
  const shown = tabs.find((tab) => tab.subject === subject) ?? tabs[0]
  const id = (label: string) => `metrics-tab-${label.toLowerCase()}`
  const props = {
    range: time.range,
    address: moves ? { range: time.choice } : searchOfSpan(time.range),
    onZoomed,
    picker: <TimeRangePicker time={time} />,
  }
  return (
    <div className="-mt-6 flex flex-col">
      <RouteTabs label="Metrics">
        {tabs.map(({ label, subject: to }) => (
          <RouteTab
            key={to}
            id={id(label)}
            to="/projects/$project/instances/$instance/metrics/$subject"
            params={{ ...params, subject: to }}
            replace
          >
            {label}
          </RouteTab>
        ))}
      </RouteTabs>
      <div
        role="tabpanel"
        aria-labelledby={id(shown.label)}
        className="flex flex-col gap-4 px-(--gutter) pt-6"
      >
        <LoadNotice />
        {shown.label === 'CPU' && <CpuMetrics {...props} />}
        {shown.label === 'Disk' && <DiskMetrics {...props} />}
        {shown.label === 'Network' && <NetworkMetrics {...props} />}
      </div>
    </div>
  )
}

type ChartsProps = {
  range: Span
  /** The range in the form of the explorer's search parameters. */
  address: ExplorerSearch
  onZoomed: (zoomed: boolean) => void
}
type MetricsProps = ChartsProps & { picker: ReactNode }

/** The option for all disks or interfaces. */
const ALL = 'all'

type PickerProps = {
  label: string
  options: { value: string; label: string }[]
  value: string
  onChange: (value: string) => void
}

const Picker = ({ label, ...rest }: PickerProps) => (
  <Listbox aria-label={label} className="w-48" {...rest} />
)

const Controls = ({ children, picker }: { children: ReactNode; picker: ReactNode }) => (
  <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
    <div className="flex flex-wrap items-center gap-2">
      {children}
      <LoadButton />
    </div>
    {picker}
  </div>
)

function CpuMetrics({ picker, ...charts }: MetricsProps) {
  const { id } = useInstance(useInstanceParams())
  const [state, setState] = useState<CpuState | typeof ALL>('run')
  const shown = state === ALL ? cpuStateNames : [state]
  return (
    <>
      <Controls picker={picker}>
        <Picker
          label="Choose state"
          options={[
            ...cpuStateNames.map((name) => ({
              value: name,
              label: `State: ${cpuStateLabel(name)}`,
            })),
            { value: ALL, label: 'All states' },
          ]}
          value={state}
          onChange={(next) => setState(next as CpuState)}
        />
      </Controls>
      <Charts {...charts} metrics={shown.map((name) => cpuMetric(id, name))} />
    </>
  )
}

type MetricSource = Pick<Disk | InstanceNetworkInterface, 'id' | 'name'>

type ChosenProps = MetricsProps & {
  what: string
  things: { data?: { items: MetricSource[] }; error: unknown; refetch: () => Promise<unknown> }
  label: string
  all: string
  none: { title: string; body: string }
  metricsOf: (instanceId: string, chosen: string | undefined) => Metric[]
}

/** The metrics of one disk or interface, or of all. */
function ChosenMetrics(props: ChosenProps) {
  const { range, address, onZoomed } = props
  const { picker, what, things, label, all, none, metricsOf } = props
  const charts = { range, address, onZoomed }
  const { id } = useInstance(useInstanceParams())
  const [chosen, setChosen] = useState(ALL)
  const items = things.data?.items
  if (!items && things.error) {
    return <LoadError what={what} error={things.error} onRetry={things.refetch} />
  }
  if (items?.length === 0) {
    return <EmptyState icon={<Activity strokeWidth={1.5} aria-hidden />} {...none} />
  }
  // A disk or interface detached in the meantime cannot stay selected.
  const value = items?.some((item) => item.id === chosen) ? chosen : ALL
  return (
    <>
      <Controls picker={picker}>
        <Picker
          label={label}
          options={[
            { value: ALL, label: all },
            ...(items ?? []).map((item) => ({ value: item.id, label: item.name })),
          ]}
          value={value}
          onChange={setChosen}
        />
      </Controls>
      <Charts {...charts} metrics={metricsOf(id, value === ALL ? undefined : value)} />
    </>
  )
}

const DiskMetrics = (props: MetricsProps) => (
  <ChosenMetrics
    {...props}
    what="The disks"
    things={useQuery(instanceDisksQuery(useInstanceParams()))}
    label="Choose disk"
    all="All disks"
    none={{
      title: 'No disk metrics available',
      body: 'Disk metrics are only available if there are disks attached',
    }}
    metricsOf={diskMetrics}
  />
)

function NetworkMetrics(props: MetricsProps) {
  const params = useInstanceParams()
  const nics = useQuery(instanceNicsQuery(params))
  const supported = useCapability('instanceNetwork')
  const { data, isLoading } = useQuery({ ...instanceNetworkQuery(params), enabled: supported })
  if (isLoading) return <div className="h-[550px]" aria-busy />
  if (data?.measured === false) {
    return <EmptyState icon={<Activity strokeWidth={1.5} aria-hidden />} {...unmeasuredNetwork} />
  }
  return (
    <ChosenMetrics
      {...props}
      what="The network interfaces"
      things={nics}
      label="Choose network interface"
      all="All NICs"
      none={{
        title: 'No network metrics available',
        body: 'Network metrics are only available if there are network interfaces attached',
      }}
      metricsOf={networkMetrics}
    />
  )
}

const Charts = ({ onZoomed, metrics, ...time }: ChartsProps & { metrics: Metric[] }) => (
  <ChartGroup range={time.range} onZoomed={onZoomed}>
    {metrics.map((metric) => (
      <MetricChart
        key={`${metric.name} ${Object.values(metric.fields).join(' ')}`}
        metric={metric}
        {...time}
      />
    ))}
  </ChartGroup>
)

/** Metrics with samples, by their query without a time range. */
const measured = new Set<string>()

/** Units until the first answer. */
const units = { percent: '%', bytes: 'Bytes', count: 'Count' }

type MetricChartProps = { metric: Metric } & Pick<ChartsProps, 'range' | 'address'>

function MetricChart({ metric, range, address }: MetricChartProps) {
  const params = useInstanceParams()
  const { project } = params
  const { runState, timeRunStateUpdated } = useInstance(params)
  const [showsQuery, setShowsQuery] = useState(false)
  const about = useAboutMetric(metric.name)
  const key = JSON.stringify(metric)
  const query = (measured.has(key) ? queryOf : ungroupedQueryOf)(metric, range)
  const { data, error, refetch } = useQuery({
    ...timeseriesQuery({ project }, query),
    placeholderData: keepPreviousData,
  })
  const found = data && (data.tables[0]?.timeseries.length ?? 0) > 0
  useEffect(() => {
    if (found === true) measured.add(key)
    else if (found === false) measured.delete(key)
  }, [found, key])
  const explorer = { query: untimedQueryOf(metric, range), ...address }
  const shown = data && inReadableUnit(metric, data)
  return (
    <>
      <ChartCard
        title={metric.title}
        description={metric.description}
        unit={shown?.unit ?? units[metric.unit]}
        data={shown?.data}
        whenEmpty={firstPointOf(
          metric,
          range,
          runState === 'running' ? timeRunStateUpdated : undefined,
        )}
        error={error}
        notOffered={isNotOffered(error)}
        onRetry={refetch}
        range={range}
        format={{ tick: shown?.tick ?? String, value: shown?.value ?? String }}
        actions={[
          ...about,
          { label: 'View OxQL query', local: true, onAction: () => setShowsQuery(true) },
          { label: 'Open in explorer', local: true, href: explorerPath({ project }, explorer) },
        ]}
      />
      {showsQuery && (
        <DialogPart onDismiss={() => setShowsQuery(false)}>
          <QueryModal
            steps={querySteps(metric, range)}
            project={project}
            explorer={explorer}
            onDismiss={() => setShowsQuery(false)}
          />
        </DialogPart>
      )}
    </>
  )
}
