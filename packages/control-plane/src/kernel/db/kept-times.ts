import type { StoredTables } from './tables.ts'

const asShown = { mayBeAhead: 'the log says what the clock showed' }
const removed = {
  mayBeAhead: 'points ahead of the clock are removed when the next ones are recorded',
}
const byDatabase = { mayBeAhead: 'by the clock of the database, and compared with an upper limit' }

/** Tables whose times stay as they are, although they may be ahead of the clock. */
export const keptTimes: StoredTables = {
  audit_log: { times: { time_started: asShown, time_completed: asShown } },
  audit_log_thing: { times: { time_completed: asShown } },
  provisioned: { times: { time: removed } },
  load: { times: { time: removed } },
  usage_record: { times: { time_start: removed, time_end: removed } },
  usage_place: { times: { time_purged: removed } },
  saml_spent: { times: { time_expires: { mayBeAhead: 'what is used once is kept until then' } } },
  engine_fence: { times: { time_seen: byDatabase } },
}
