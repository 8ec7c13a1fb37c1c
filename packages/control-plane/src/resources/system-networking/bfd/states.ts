import type { BfdState } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import type { ConfiguredBfd, Uplinks } from '../../../kernel/ports/uplinks.ts'

type Session = Row<'bfd_session'>

const sessionsOf = (db: Db): Promise<Session[]> =>
  rowsOf(db, 'bfd_session').selectAll().orderBy('switch_slot').orderBy('remote').execute()

const toConfigured = (session: Session): ConfiguredBfd => ({
  switch: session.switch_slot,
  peer: session.remote,
  local: session.local,
  threshold: session.detection_threshold,
  requiredRx: session.required_rx,
  mode: session.mode,
  since: new Date(session.time_created),
})

/** All sessions with the states reported by the switches, without those that are not known. */
export async function statesOf(
  db: Db,
  uplinks: Uplinks,
): Promise<{ session: Session; state: BfdState }[]> {
  const sessions = await sessionsOf(db)
  const states = await uplinks.bfd(sessions.map(toConfigured))
  return sessions.flatMap((session, index) => {
    const state = states[index]
    return state === undefined ? [] : [{ session, state }]
  })
}

/** The sessions that switches should have. */
export const configuredBfd = async (db: Db): Promise<ConfiguredBfd[]> =>
  (await sessionsOf(db)).map(toConfigured)
