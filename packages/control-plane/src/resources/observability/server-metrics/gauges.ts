import '../../maintenance/scrub/table.ts'
import { hasExpired } from '../../identity/sessions/sessions.ts'
import { overdueRows } from '../../maintenance/health/overdue.ts'
import { outageKinds } from '../../../kernel/db/database.ts'
import type { Gauge } from '../../../kernel/instrumentation.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'

/** Gauges of this server that need no database. */
function ownGauges(
  { outages, feed, database, reconciler }: ControlPlaneServices,
  ready: boolean,
): Gauge[] {
  const gauges: Gauge[] = [
    { name: 'steading_ready', help: 'Whether the server takes calls', value: Number(ready) },
    { name: 'steading_event_followers', help: 'Open event streams', value: feed.followers() },
  ]
  for (const kind of outageKinds) {
    const help = 'Whether the database cannot be reached or is damaged, or the disk is full'
    gauges.push({
      name: 'steading_outage',
      help,
      labels: { kind },
      value: Number(outages.lasts(kind)),
    })
  }
  const longest = reconciler.longestSteps()
  for (const kind of reconciler.tables) {
    gauges.push({
      name: 'steading_reconciler_step_seconds',
      help: 'For how long the longest step runs that the server is taking; 0 without a step',
      labels: { kind },
      value: (longest.get(kind) ?? 0) / 1000,
    })
  }
  for (const [state, value] of Object.entries(database.connections?.() ?? {})) {
    const help = 'Connections to the database; waiting: calls that wait for one'
    gauges.push({ name: 'steading_database_connections', help, labels: { state }, value })
  }
  return gauges
}

/** Gauges from the database, which are the same on every server. */
async function sharedGauges(services: ControlPlaneServices): Promise<Gauge[]> {
  const { database, feed, settings, clock } = services
  const figures = await database.figures?.()
  const sessions = await database.db
    .selectFrom('console_session')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where((eb) => eb.not(hasExpired(settings, clock())))
    .executeTakeFirstOrThrow()
  const gauges: Gauge[] = [
    {
      name: 'steading_sessions',
      help: 'Browsers that are signed in, at all servers',
      value: Number(sessions.count),
    },
    {
      name: 'steading_outbox_lag_seconds',
      help: 'Age of the oldest event that the followers of this server have not been told of',
      value: await feed.lag(clock()),
    },
  ]
  if (figures) {
    const help = 'Size of the database'
    gauges.push({ name: 'steading_database_bytes', help, value: figures.bytes })
  }
  if (figures?.logBytes !== undefined) {
    const help = 'Size of the write-ahead log that waits for a checkpoint'
    gauges.push({ name: 'steading_database_log_bytes', help, value: figures.logBytes })
  }
  if (figures?.checkpoints !== undefined) {
    const help = 'Checkpoints since the statistics of PostgreSQL began'
    gauges.push({ name: 'steading_database_checkpoints', help, value: figures.checkpoints })
  }
  const scrubs = await database.db.selectFrom('scrub').selectAll().execute()
  for (const { kind, time_finished } of scrubs) {
    if (time_finished === null) continue
    gauges.push({
      name: 'steading_scrub_finished_seconds',
      help: 'When all volumes, or time series, were last checked for damage, in seconds since 1970',
      labels: { kind },
      value: Date.parse(time_finished) / 1000,
    })
  }
  const overdue = new Map((await overdueRows(services)).map((row) => [row.kind, row]))
  for (const kind of services.reconciler.tables) {
    const { count = 0, seconds = 0 } = overdue.get(kind) ?? {}
    gauges.push(
      {
        name: 'steading_reconciler_overdue',
        help: 'Rows whose time to be reconciled has come',
        labels: { kind },
        value: count,
      },
      {
        name: 'steading_reconciler_lag_seconds',
        help: 'For how long the oldest overdue row has waited',
        labels: { kind },
        value: seconds,
      },
    )
  }
  return gauges
}

/**
 * The present values. While the database cannot be reached, those from the database are left out.
 */
export async function readGauges(services: ControlPlaneServices): Promise<Gauge[]> {
  const { ready, status } = await services.health.view()
  const own = ownGauges(services, ready)
  if (status === 'database_unreachable') return own
  try {
    return [...own, ...(await sharedGauges(services))]
  } catch (error) {
    if (!services.outages.recognize(error)) throw error
    return own
  }
}
