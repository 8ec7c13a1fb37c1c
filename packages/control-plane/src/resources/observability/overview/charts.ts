/** The charts of an overview: sums that are kept up to date, and the provisioned capacity. */
import type { Wire } from '@steading/api'
import {
  CHART_POINTS,
  CHART_STEP_SECONDS,
  FLEET_ID,
  overviewCharts,
  type OverviewChartName,
} from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import type { ProvisionedTable } from '../metrics/table.ts'
import { beginOfMinute, STEP_MS } from './loads.ts'
import type { LoadTable } from './table.ts'

/** Time after a minute within which its load is recorded. */
const LATE_MS = 10_000

/** Beginnings of the minutes that are shown, oldest first. */
function minutesBefore(now: Date): number[] {
  const end = Math.floor((now.getTime() - LATE_MS) / STEP_MS) * STEP_MS
  return Array.from({ length: CHART_POINTS }, (_, index) => end - (CHART_POINTS - index) * STEP_MS)
}

const chartOf = (
  name: OverviewChartName,
  minutes: readonly number[],
  values: (number | null)[],
): Wire.OverviewChart => ({
  name,
  unit: overviewCharts[name],
  time_first: new Date(minutes[0]! + STEP_MS).toISOString(),
  step: CHART_STEP_SECONDS,
  values,
})

type Measured = Partial<Record<OverviewChartName, keyof LoadTable>>

/** Charts of the load; those without any value are left out. */
async function loadCharts(
  db: Db,
  targetId: string,
  minutes: readonly number[],
  charts: Measured,
): Promise<Wire.OverviewChart[]> {
  const rows = await db
    .selectFrom('load')
    .selectAll()
    .where('target_id', '=', targetId)
    .where('time', '>=', new Date(minutes[0]!).toISOString())
    .execute()
  // The demo moves its rows to the present, and not by whole minutes.
  const byTime = new Map(rows.map((row) => [beginOfMinute(Date.parse(row.time)), row]))
  return (Object.entries(charts) as [OverviewChartName, keyof LoadTable][]).flatMap(
    ([name, column]) => {
      const values = minutes.map(
        (minute) => (byTime.get(minute)?.[column] ?? null) as number | null,
      )
      return values.some((value) => value !== null) ? [chartOf(name, minutes, values)] : []
    },
  )
}

/** Changes of an hour that are read; of more, the newest are shown. */
const CHANGES = 5_000

/** The provisioned amounts at the end of each minute; null before the first known amount. */
async function provisionedCharts(
  db: Db,
  kind: ProvisionedTable['kind'],
  targetId: string,
  minutes: readonly number[],
  charts: Partial<Record<OverviewChartName, 'cpus' | 'memory' | 'storage'>>,
): Promise<Wire.OverviewChart[]> {
  const points = db
    .selectFrom('provisioned')
    .select(['time', 'cpus', 'memory', 'storage'])
    .where('kind', '=', kind)
    .where('target_id', '=', targetId)
    .orderBy('time', 'desc')
  const start = new Date(minutes[0]!).toISOString()
  const changes = await points.where('time', '>=', start).limit(CHANGES).execute()
  const before = await points.where('time', '<', start).limit(1).execute()
  // Oldest first.
  const all = [...changes, ...before].toReversed()
  const timed = all.map((point) => ({ ...point, at: Date.parse(point.time) }))
  let next = 0
  const present = minutes.map((minute) => {
    while (next < timed.length && timed[next]!.at < minute + STEP_MS) next++
    return timed[next - 1]
  })
  return (Object.entries(charts) as [OverviewChartName, 'cpus' | 'memory' | 'storage'][]).map(
    ([name, column]) =>
      chartOf(
        name,
        minutes,
        present.map((point) => (point ? Number(point[column]) : null)),
      ),
  )
}

/** None before anything has been measured, so that more do not appear later beside a single one. */
export async function chartsOfProject(
  db: Db,
  projectId: string,
  now: Date,
): Promise<Wire.OverviewChart[]> {
  const minutes = minutesBefore(now)
  const loads = await loadCharts(db, projectId, minutes, {
    cpus_used: 'cpus',
    disk_traffic: 'disk_bytes',
    network_traffic: 'network_bytes',
  })
  if (loads.length === 0) return []
  return [
    ...loads,
    ...(await provisionedCharts(db, 'project', projectId, minutes, {
      memory_provisioned: 'memory',
    })),
  ]
}

/** @param withLoad whether the caller may read the load of all projects */
export async function chartsOfSilo(
  db: Db,
  siloId: string,
  now: Date,
  withLoad: boolean,
): Promise<Wire.OverviewChart[]> {
  const minutes = minutesBefore(now)
  return [
    ...(withLoad ? await loadCharts(db, siloId, minutes, { cpus_used: 'cpus' }) : []),
    ...(await provisionedCharts(db, 'silo', siloId, minutes, {
      cpus_provisioned: 'cpus',
      memory_provisioned: 'memory',
      storage_provisioned: 'storage',
    })),
  ]
}

export const chartsOfFleet = (db: Db, now: Date): Promise<Wire.OverviewChart[]> =>
  loadCharts(db, FLEET_ID, minutesBefore(now), {
    cpus_used: 'cpus',
    cpus_provisioned: 'cpus_provisioned',
    power: 'power',
    requests: 'requests',
  })
