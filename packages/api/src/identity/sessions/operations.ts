import { ConsoleSession, OwnSessions } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const sessionOperations = usual('console_session', {
  id: 'current_user_session',
  path: '/x/v1/me/sessions/{session_id}',
  permission: 'session',
})({
  user_session_list: {
    route: 'GET /v1/users/{user_id}/sessions',
    tags: ['silos'],
    summary: 'List the console sessions of a user',
    permission: { silo_user: 'read', console_session: 'list' },
    pages: ConsoleSession,
    sort: 'id',
    live: true,
  },
  current_user_session_list: {
    summary: 'List the console sessions of the signed-in user, most recently used first',
    live: true,
    answer: OwnSessions,
  },
  current_user_session_delete: { summary: 'End a console session of the signed-in user' },
  current_user_session_delete_others: {
    route: 'DELETE /x/v1/me/sessions',
    summary: 'End all console sessions of the signed-in user except the current one',
  },
})
