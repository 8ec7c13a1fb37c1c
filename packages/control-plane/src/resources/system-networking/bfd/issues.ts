import { BFD_DOWN_AFTER_MS } from '@steading/api'
import { type Finder, issue } from '../../../kernel/issues.ts'
import { known } from '../uplink-hosts/answered.ts'
import { statesOf } from './states.ts'

export const bfdIssues: Finder = async ({ db, now, services }) => {
  if (!services.uplinks) return []
  const sessions = await known(statesOf(db, services.uplinks))
  return sessions
    .filter(
      ({ session, state }) =>
        (state === 'down' || state === 'init') &&
        now.getTime() - Date.parse(session.time_created) > BFD_DOWN_AFTER_MS,
    )
    .map(({ session: { id, remote, switch_slot } }) =>
      issue('bfd_session_down', id, null, { peer: remote, switch: switch_slot }),
    )
}
