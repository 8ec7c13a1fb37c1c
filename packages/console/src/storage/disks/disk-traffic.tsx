import type { Disk } from '@steading/api/client'
import { useState } from 'react'
import type { LineUnit } from '../../compute/instances/metrics/last-hour.ts'
import { metricsOfDisk } from '../../compute/instances/metrics/metric-queries.ts'
import { useLastHour } from '../../compute/instances/metrics/use-last-hour.ts'
import { Card, CardEmpty } from '../../ui/card.tsx'
import { formatShort } from '../../ui/charts/chart-data.ts'
import { lookOf } from '../../ui/charts/look.ts'
import { SmallChart } from '../../ui/charts/small-chart.tsx'
import { inByteUnit } from '../../ui/number.ts'

const shown = ['Bytes Read', 'Bytes Written', 'Disk Reads', 'Disk Writes']

const partsOf = (unit: LineUnit) => (value: number) => {
  if (unit !== 'B/s') return { amount: formatShort(value), unit }
  const { amount, unit: bytes } = inByteUnit(value)
  return { amount: formatShort(amount), unit: `${bytes}/s` }
}

/** Reads and writes of the last hour; nothing where disks are not measured. */
export default function DiskTraffic({ project, disk }: { project: string; disk: Disk }) {
  const metrics = metricsOfDisk(disk.id)
  const { lines, error, isRead } = useLastHour(
    project,
    shown.map((label) => ({ label, metrics: metrics.filter(({ title }) => title === label) })),
  )
  const [hoveredAt, setHoveredAt] = useState<number>()
  if (error && !isRead) return null
  const measured = lines.filter(({ values }) => values.length > 0)
  return (
    <Card title="Last hour">
      {measured.length > 0 ? (
        <div className="-me-px -mb-px grid overflow-hidden sm:grid-cols-2 [&>*]:border-e [&>*]:border-b">
          {measured.map(({ label, unit, times, values }, index) => {
            const parts = partsOf(unit)
            return (
              <SmallChart
                key={label}
                title={label}
                times={times}
                values={values}
                format={{ parts, tick: (value) => Object.values(parts(value)).join(' ') }}
                hue={lookOf(index).hue}
                hoveredAt={hoveredAt}
                onHover={setHoveredAt}
              />
            )
          })}
        </div>
      ) : (
        isRead && (
          <CardEmpty
            title="No data"
            body="Disks are measured while the instance that they are attached to is running"
          />
        )
      )}
    </Card>
  )
}
