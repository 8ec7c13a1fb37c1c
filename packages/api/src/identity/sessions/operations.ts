import { ConsoleSession, OwnSessions } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const sessionOperations = {
  ...usual('silo_user', { id: 'user', path: '/v1/users/{user_id}', tag: 'silos' })({
    session_list: {
      route: 'GET sessions',
      summary: 'List the console sessions of a user',
      permission: { silo_user: 'read', console_session: 'list' },
      pages: ConsoleSession,
      sort: 'id',
      live: true,
    },
  }),
  ...usual('console_session', {
    id: 'current_user_session',
    path: '/x/v1/me/sessions/{session_id}',
    permission: 'session',
  })({
    list: {
      summary: 'List the console sessions of the signed-in user, most recently used first',
      live: true,
      answer: OwnSessions,
    },
    delete: { summary: 'End a console session of the signed-in user' },
    delete_others: {
      route: 'DELETE /x/v1/me/sessions',
      summary: 'End all console sessions of the signed-in user except the current one',
    },
  }),
}
