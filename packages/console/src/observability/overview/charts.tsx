import type { OverviewChart } from '@steading/api/client'
import type { OverviewChartName, OverviewScope, ChartUnit } from '@steading/api/rules'
import { useState } from 'react'
import { pathTo } from '../../data/addresses.ts'
import { formatShort } from '../../ui/charts/chart-data.ts'
import { lookOf } from '../../ui/charts/look.ts'
import { SmallChart, type SmallChartFormat } from '../../ui/charts/small-chart.tsx'
import { formatNumber, inByteUnit } from '../../ui/number.ts'
import { explorerPath } from '../timeseries/explorer-link.ts'
import { Panel, Section } from './section.tsx'

const titles: Record<OverviewChartName, string> = {
  cpus_used: 'Processors in use',
  disk_traffic: 'Disk traffic',
  network_traffic: 'Network traffic',
  cpus_provisioned: 'vCPUs provisioned',
  memory_provisioned: 'Memory provisioned',
  storage_provisioned: 'Storage provisioned',
  power: 'Power',
  requests: 'API requests',
}

function bytes(suffix: string): SmallChartFormat {
  const parts = (value: number) => {
    const { amount, unit } = inByteUnit(value)
    return { amount: formatShort(amount), unit: unit + suffix }
  }
  return { parts, tick: (value) => Object.values(parts(value)).join(' ') }
}

const plain = (unit: string): SmallChartFormat => ({
  tick: formatShort,
  parts: (value) => ({
    amount: value < 10 ? formatShort(value) : formatNumber(Math.round(value)),
    unit,
  }),
})

const formats: Record<ChartUnit, SmallChartFormat> = {
  cpus: plain('vCPUs'),
  bytes: bytes(''),
  bytes_per_second: bytes('/s'),
  watts: plain('W'),
  per_second: plain('/s'),
}

const timesOf = ({ timeFirst, step, values }: OverviewChart) =>
  values.map((_, index) => timeFirst.getTime() + index * step * 1000)

/** Queries of the metrics explorer that a chart sums up. */
const queries: { [Name in OverviewChartName]?: string } = {
  cpus_used:
    'get virtual_machine:vcpu_usage\n| filter state == "run"\n| align mean_within(1m)\n| group_by [instance_id], sum',
  disk_traffic:
    'get virtual_disk:bytes_written\n| align mean_within(1m)\n| group_by [attached_instance_id], sum',
  network_traffic:
    'get instance_network_interface:bytes_sent\n| align mean_within(1m)\n| group_by [instance_id], sum',
  power: 'get hardware_component:power\n| align mean_within(1m)\n| group_by [chassis_serial], sum',
}

/** Page with more about a chart; the silo has no explorer. */
function pathOf(name: OverviewChartName, scope: OverviewScope, project?: string) {
  const query = queries[name]
  if (query && scope === 'fleet') return explorerPath('system', { query })
  if (query && project) return explorerPath({ project }, { query })
  if (!name.endsWith('_provisioned') || scope === 'project') return undefined
  return pathTo(scope === 'fleet' ? '/system/utilization' : '/utilization')
}

type ChartsProps = { charts: OverviewChart[]; scope: OverviewScope; project: string | undefined }

/** The last hour, with one crosshair in all charts. */
export function Charts({ charts, scope, project }: ChartsProps) {
  const [hoveredAt, setHoveredAt] = useState<number>()
  return (
    <Section title="Last hour">
      <Panel>
        {/* Lines between neighbours, wherever the grid breaks. The last of an odd number is wide. */}
        <div className="-me-px -mb-px grid sm:grid-cols-2 min-[2200px]:grid-cols-4 [&>*]:border-e [&>*]:border-b sm:[&>*:last-child:nth-child(odd)]:col-span-2">
          {charts.map((chart, index) => (
            <SmallChart
              key={chart.name}
              title={titles[chart.name]}
              times={timesOf(chart)}
              values={chart.values}
              format={formats[chart.unit]}
              hue={lookOf(index).hue}
              href={pathOf(chart.name, scope, project)}
              hoveredAt={hoveredAt}
              onHover={setHoveredAt}
            />
          ))}
        </div>
      </Panel>
    </Section>
  )
}
