import type { BfdState } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import type { Uplinks } from '../../../kernel/ports/uplinks.ts'

/** All sessions with the states reported by the switches. */
export async function statesOf(
  db: Db,
  uplinks: Uplinks,
): Promise<{ session: Row<'bfd_session'>; state: BfdState }[]> {
  const sessions = await rowsOf(db, 'bfd_session')
    .selectAll()
    .orderBy('switch_slot')
    .orderBy('remote')
    .execute()
  const states = await uplinks.bfd(
    sessions.map((session) => ({
      switch: session.switch_slot,
      peer: session.remote,
      since: new Date(session.time_created),
    })),
  )
  return sessions.map((session, index) => ({ session, state: states[index]! }))
}
