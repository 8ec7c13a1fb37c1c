import type { ControlPlaneServices } from './services.ts'

const HOUR_MS = 60 * 60 * 1000
/** Followers of the event stream that were away longer than this read everything afresh. */
const EVENTS_KEPT_MS = 24 * HOUR_MS

/** Removes what has had its day: old events, expired sessions. Safe to run twice at once. */
async function tidy({ database: { db }, settings, clock }: ControlPlaneServices): Promise<void> {
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
