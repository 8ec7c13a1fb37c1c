/** Cells of columns that the list of instances shows on request. */
import { collectionSeconds, withUnit } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { fieldName } from '../../observability/timeseries/result-series.ts'
import { timeseriesQuery } from '../../observability/timeseries/run-query.ts'
import { Area } from '../../ui/charts/area.tsx'
import { formatNumber } from '../../ui/number.ts'
import { SkeletonCell } from '../../ui/table.tsx'
import { DeletedTag, HiddenTag, useDiskSource } from '../../storage/disks/disk-source.tsx'
import { EmptyCell, Truncate } from '../../ui/text.tsx'
import { tooltip } from '../../ui/tooltip.tsx'

const METRIC = 'virtual_machine:vcpu_usage'
/** Nanoseconds of one percent of the time between two samples. */
const PERCENT = (collectionSeconds(METRIC)! * 1e9) / 100
const EVERY_MS = 60_000

/** CPU use of all instances of a project, in one query: percent per minute, by their ids. */
const cpuUseQuery = (project: string) => ({
  ...timeseriesQuery(
    { project },
    `get ${METRIC} | filter timestamp > @now() - 30m && state == "run" | align mean_within(1m) | group_by [instance_id], mean`,
  ),
  refetchInterval: EVERY_MS,
  gcTime: EVERY_MS,
})

const WIDTH = 72
const HEIGHT = 20

/** The CPU use of an instance in the last half hour, as a line, and in the last minute. */
export function CpuUseCell({ project, instanceId }: { project: string; instanceId: string }) {
  const { data, isError } = useQuery(cpuUseQuery(project))
  if (!data) return isError ? <EmptyCell /> : <SkeletonCell />
  const series = data.tables[0]?.timeseries.find(({ fields }) =>
    Object.entries(fields).some(
      ([key, { value }]) => fieldName(key) === 'instance_id' && value === instanceId,
    ),
  )
  // The first point of a counter contains everything counted before.
  const values = (series?.points.values[0]?.values.values ?? [])
    .slice(1)
    .map((value) => (typeof value === 'number' ? value / PERCENT : null))
  const last = values.at(-1)
  if (last === null || last === undefined) return <EmptyCell />
  return (
    <span
      className="flex items-center justify-end gap-2 tabular-nums"
      {...tooltip('Mean of the vCPUs in the last half hour, and now')}
    >
      <svg
        aria-hidden
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className="h-5 w-18 shrink-0 [--hue:var(--blue-solid)] forced-colors:[--hue:CanvasText]"
      >
        <Area values={values} top={100} width={WIDTH} height={HEIGHT} />
      </svg>
      <span className="w-10 text-end">{withUnit(formatNumber(Math.round(last)), '%')}</span>
    </span>
  )
}

/** The image that a boot disk was created from. */
export function ImageCell({ imageId }: { imageId: string }) {
  const { image, gone, hidden, isPending } = useDiskSource({ imageId, snapshotId: null })
  if (gone) return <DeletedTag kind="Image" />
  if (hidden) return <HiddenTag kind="Image" />
  if (image) return <Truncate text={image.name} />
  return isPending ? <SkeletonCell /> : <EmptyCell />
}
