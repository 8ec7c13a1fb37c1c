import type { StoredTables } from './tables.ts'

const asShown = { mayBeAhead: 'the log says what the clock showed' }

/** The tables of the kernel itself. */
export const ownTables: StoredTables = {
  audit_log: { times: { time_started: asShown, time_completed: asShown } },
  audit_log_thing: { times: { time_completed: asShown } },
  engine_fence: {
    times: {
      time_seen: { mayBeAhead: 'by the clock of the database, and compared with an upper limit' },
    },
  },
}
