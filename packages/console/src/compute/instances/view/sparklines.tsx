import type { Instance } from '@steading/api/client'
import { Link } from '@tanstack/react-router'
import { formatShort } from '../../../ui/charts/chart-data.ts'
import { lookOf } from '../../../ui/charts/look.ts'
import { Sparkline } from '../../../ui/charts/sparkline.tsx'
import { formatNumber, inByteUnit } from '../../../ui/number.ts'
import type { Line } from '../metrics/last-hour.ts'
import { cpuMetric, diskMetrics, type Metric, networkMetrics } from '../metrics/metric-queries.ts'
import { useLastHour } from '../metrics/use-last-hour.ts'
import type { InstanceParams } from '../queries.ts'

const bytesOf = (metrics: Metric[]) => metrics.filter(({ unit }) => unit === 'bytes')

/** The lines, each of which leads to a tab of the metrics. */
const subjects = [
  { subject: 'cpu', label: 'CPU', metricsOf: (id: string) => [cpuMetric(id, 'run')] },
  {
    subject: 'disk',
    label: 'Disk',
    metricsOf: (id: string) => bytesOf(diskMetrics(id, undefined)),
  },
  {
    subject: 'network',
    label: 'Network',
    metricsOf: (id: string) => bytesOf(networkMetrics(id, undefined)),
  },
] as const

/** Upper edges of lines with smaller values, so that noise does not look like load. */
const LEAST_PERCENT = 10
const LEAST_BYTES = 1024

function valueText({ values, unit }: Line): string | undefined {
  const last = values.findLast((value) => value !== null)
  if (last === null || last === undefined) return undefined
  if (unit === '%') return `${formatNumber(Math.round(last * 10) / 10)}%`
  const { amount, unit: bytes } = inByteUnit(last)
  return `${formatShort(amount)} ${bytes}/s`
}

/** The last hour of a running instance in small; nothing where it is not measured. */
export default function Sparklines({
  params,
  instance,
}: {
  params: InstanceParams
  instance: Instance
}) {
  const { lines, error, isRead } = useLastHour(
    params.project,
    subjects.map(({ label, metricsOf }) => ({ label, metrics: metricsOf(instance.id) })),
  )
  if (error && !isRead) return null
  return (
    <section
      aria-label="Last hour"
      aria-busy={!isRead}
      className="flex min-h-41 flex-col justify-evenly rounded-card border bg-raised py-1"
    >
      {lines.map((line, index) => {
        const now = valueText(line)
        return (
          <Link
            key={line.label}
            to="/projects/$project/instances/$instance/metrics/$subject"
            params={{ ...params, subject: subjects[index]!.subject }}
            className="focus-inset grid h-10 grid-cols-[4rem_minmax(0,1fr)_5.5rem] items-center gap-3 px-4 hover:bg-hover"
          >
            <span className="text-secondary">{line.label}</span>
            <Sparkline
              values={line.values}
              least={line.unit === '%' ? LEAST_PERCENT : LEAST_BYTES}
              hue={lookOf(index).hue}
            />
            <span className="truncate text-end tabular-nums">
              {now ?? (
                <>
                  <span aria-hidden>—</span>
                  <span className="sr-only">not measured yet</span>
                </>
              )}
            </span>
          </Link>
        )
      })}
    </section>
  )
}
