import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ALL_ITEMS, apiQuery, refetchShown } from '../../data/api.ts'
import { isNotOffered } from '../../data/errors.ts'
import { useCapability } from '../../data/capabilities.ts'
import { LinkButton } from '../../ui/button.tsx'
import { readingOf } from '../../data/reads.ts'
import { shortCount } from '../../ui/charts/chart-data.ts'
import { ChartCard } from '../../ui/charts/chart-card.tsx'
import { ChartGroup } from '../../ui/charts/chart-group.tsx'
import { RefreshInterval } from '../../ui/charts/refresh-interval.tsx'
import { CUSTOM, longPresets } from '../../ui/charts/time-range.ts'
import { TimeRangePicker } from '../../ui/charts/time-range-picker.tsx'
import { useTimeRange } from '../../ui/charts/use-time-range.ts'
import type { Span } from '../../ui/charts/zoom.ts'
import { Listbox } from '../../ui/form/listbox-field.tsx'
import type { Choices } from '../../ui/form/options.tsx'
import { formatNumber } from '../../ui/number.ts'
import { type Resource, resources } from './amounts.ts'
import { provisionedQuery, type MetricScope } from './provisioned.ts'

type ProvisionedChartsProps = {
  whose: MetricScope
  /** Filter beside the time range. */
  filter: ReactNode
}

/** Value of the filter for everything. */
const ALL = 'all'

type FilterProps = Choices & {
  label: string
  all: string
  chosen: string
  onChoose: (id: string) => void
}

const Filter = ({ label, all, options, chosen, onChoose, ...reading }: FilterProps) => (
  <Listbox
    aria-label={label}
    className="w-44"
    {...reading}
    options={[{ value: ALL, label: all }, ...options]}
    value={chosen}
    onChange={onChoose}
  />
)

/** Charts of the user's own silo, or of one of its projects. */
export function ProvisionedInProject() {
  const [project, setProject] = useState(ALL)
  const projects = useQuery(apiQuery('projectList', { query: { limit: ALL_ITEMS } }))
  const reports = useCapability('usage')
  const chosen = projects.data?.items.find(({ id }) => id === project)
  return (
    <ProvisionedCharts
      whose={{ operation: 'siloMetric', project: project === ALL ? undefined : project }}
      filter={
        <>
          <Filter
            label="Filter by project"
            all="All projects"
            {...readingOf(projects)}
            options={projects.data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []}
            chosen={project}
            onChoose={setProject}
          />
          {reports && chosen && (
            <LinkButton to="/usage" search={{ of: chosen.name }}>
              Usage report of {chosen.name}
            </LinkButton>
          )}
        </>
      }
    />
  )
}

/** Charts of the fleet, or of one of its silos. */
export function ProvisionedInSilo({
  silos,
}: {
  silos: readonly { siloId: string; siloName: string }[]
}) {
  const [silo, setSilo] = useState(ALL)
  return (
    <ProvisionedCharts
      whose={{ operation: 'systemMetric', silo: silo === ALL ? undefined : silo }}
      filter={
        <Filter
          label="Filter by silo"
          all="All silos"
          options={silos.map(({ siloId, siloName }) => ({ value: siloId, label: siloName }))}
          chosen={silo}
          onChoose={setSilo}
        />
      }
    />
  )
}

/** Provisioned amounts over time, in a chart for each resource. */
function ProvisionedCharts({ whose, filter }: ProvisionedChartsProps) {
  const time = useTimeRange(longPresets)
  return (
    <section aria-label="Provisioned over time" className="flex flex-col gap-4 px-(--gutter)">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="flex flex-wrap items-center gap-2">
          <RefreshInterval
            standing={time.choice === CUSTOM}
            onTick={time.slide}
            onRefresh={async () => {
              time.slide()
              await refetchShown()
            }}
          />
          {filter}
        </div>
        <TimeRangePicker time={time} />
      </div>
      <ChartGroup range={time.range}>
        {resources.map((resource) => (
          <ProvisionedChart
            key={resource.name}
            whose={whose}
            resource={resource}
            range={time.range}
          />
        ))}
      </ChartGroup>
    </section>
  )
}

type ProvisionedChartProps = { whose: MetricScope; resource: Resource; range: Span }

function ProvisionedChart({ whose, resource, range }: ProvisionedChartProps) {
  const { data, error, refetch } = useQuery({
    ...provisionedQuery(whose, resource, range),
    // Keep the previous data until new data arrives.
    placeholderData: keepPreviousData,
  })
  const unit = resource.isCount ? '' : ` ${resource.unit}`
  return (
    <ChartCard
      title={resource.label}
      unit={resource.isCount ? 'Count' : resource.unit}
      data={data}
      error={error}
      notOffered={isNotOffered(error)}
      onRetry={refetch}
      range={range}
      stepped
      format={{
        tick: (value) => `${shortCount(value)}${unit}`,
        value: (value) => `${formatNumber(value)}${unit}`,
      }}
    />
  )
}
