import { JOB_KEPT_MS, JOB_PLAN_KEPT_MS } from '@steading/api/rules'
import type { ControlPlaneServices } from './kernel/services.ts'

const HOUR_MS = 60 * 60 * 1000
/** Followers of the event stream that were away longer than this read everything afresh. */
const EVENTS_KEPT_MS = 24 * HOUR_MS

/** Removes what has had its day: old events, expired sessions, old jobs. Safe to run twice at once. */
async function tidy(services: ControlPlaneServices): Promise<void> {
  const { settings, clock, reconciler } = services
  const { db } = services.database
  const before = (ms: number): string => new Date(clock().getTime() - ms).toISOString()
  await db.deleteFrom('event').where('time', '<', before(EVENTS_KEPT_MS)).execute()
  await db
    .deleteFrom('console_session')
    .where((eb) =>
      eb.or([
        eb('time_created', '<', before(settings.sessionAbsoluteMs)),
        eb('time_last_used', '<', before(settings.sessionIdleMs)),
      ]),
    )
    .execute()
  const now = clock().toISOString()
  await db
    .updateTable('job')
    .set({ time_deleted: now, reconcile_at: now })
    .where('time_deleted', 'is', null)
    .where((eb) =>
      eb.or([
        eb('state', '=', 'planned').and('time_created', '<', before(JOB_PLAN_KEPT_MS)),
        eb('state', '=', 'done').and('time_finished', '<', before(JOB_KEPT_MS)),
      ]),
    )
    .execute()
  reconciler.wake()
}

export interface Housekeeping {
  start: () => void
  stop: () => Promise<void>
}

/** Tidies up now and every hour. */
export function createHousekeeping(services: ControlPlaneServices): Housekeeping {
  let timer: ReturnType<typeof setInterval> | undefined
  let running: Promise<void> | undefined
  const run = () => {
    running = tidy(services).catch((error) => services.settings.log('housekeeping failed', error))
  }
  return {
    start() {
      run()
      timer = setInterval(run, HOUR_MS)
    },
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
