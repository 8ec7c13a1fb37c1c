import type { tables, Wire } from '@steading/api'
import { type DiskMetric, diskMetrics, type ProvisionedMetric } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { type Page, tokenAfter } from '../../../kernel/paging.ts'
import { pointsOfDisk } from './disk-points.ts'
import { type Point, pointsOfFleet, pointsOfOne, type Wanted } from './points.ts'

interface Asked {
  query: { start_time?: string; end_time?: string; order?: Wire.PaginationOrder }
  page: Page
}

const EARLIEST = Date.parse('0000-01-01T00:00:00Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * A bound in the format of stored points: a fraction of a millisecond comes after every point of
 * that millisecond.
 */
function bound(time: string): string {
  const started = /\.\d{3}\d*[1-9]/.test(time) ? 1 : 0
  return new Date(Math.min(Math.max(Date.parse(time) + started, EARLIEST), LATEST)).toISOString()
}

/** @throws ApiError 400 for a token that this list has not issued */
function nextMillisecond(lastSeen: string): string {
  const next = new Date(Date.parse(lastSeen) + 1)
  if (Number.isNaN(next.getTime())) throw fail.badRequest('invalid pagination marker')
  return next.toISOString()
}

/** A page continues after the last point of the previous one. */
async function pageOf(
  { query, page }: Asked,
  read: (wanted: Wanted) => Promise<Wire.Measurement[]>,
): Promise<Wire.MeasurementResultsPage> {
  const descending = query.order === 'descending'
  const { lastSeen, limit } = page
  const bounds = { start: bound(query.start_time!), end: bound(query.end_time!) }
  if (lastSeen !== undefined) {
    if (descending) bounds.end = lastSeen
    else bounds.start = nextMillisecond(lastSeen)
  }
  const items = await read({ ...bounds, descending, limit })
  const last = items.at(-1)
  return { items, next_page: last ? tokenAfter(page, { last_seen: last.timestamp }) : null }
}

const measured = ({ time, value }: Point): Wire.Measurement => ({
  datum: { type: 'i64', datum: value },
  timestamp: time,
})

export const metricHandlers: Handlers<typeof tables.metricOperations> = {
  async silo_metric(ctx) {
    const { project } = ctx.query
    const target = project
      ? { kind: 'project' as const, id: (await lookup(ctx, 'project', project)).id }
      : { kind: 'silo' as const, id: (await lookup(ctx, 'silo', ctx.actor.siloId)).id }
    const metric = ctx.params.metric_name as ProvisionedMetric
    return pageOf(ctx, async (wanted) =>
      (await pointsOfOne(ctx.db, target, metric, wanted)).map(measured),
    )
  },

  async system_metric(ctx) {
    authorize(ctx, 'fleet', {})
    const { silo } = ctx.query
    const metric = ctx.params.metric_name as ProvisionedMetric
    const target = silo && { kind: 'silo' as const, id: (await lookup(ctx, 'silo', silo)).id }
    return pageOf(ctx, async (wanted) => {
      const points = target
        ? await pointsOfOne(ctx.db, target, metric, wanted)
        : await pointsOfFleet(ctx.db, metric, wanted)
      return points.map(measured)
    })
  },

  async disk_metrics_list(ctx) {
    const { id } = await lookup(ctx, 'disk', ctx.params.disk, ctx.query)
    const name = diskMetrics[ctx.params.metric as DiskMetric]
    return pageOf(ctx, (wanted) => pointsOfDisk(ctx.services.timeSeries, id, name, wanted))
  },
}
