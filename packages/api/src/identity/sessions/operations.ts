import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { uuid } from '../../schema.ts'
import { ConsoleSessionResultsPage, OwnSessions } from './schemas.ts'

const tags = ['extensions']

export const sessionOperations = {
  user_session_list: {
    method: 'GET',
    path: '/v1/users/{user_id}/sessions',
    tags: ['silos'],
    summary: 'List the console sessions of a user',
    permission: { silo_user: 'read', console_session: 'list' },
    params: { user_id: uuid },
    ...paged('id'),
    live: true,
    success: { status: 200, schema: ConsoleSessionResultsPage },
  },
  current_user_session_list: {
    method: 'GET',
    path: '/x/v1/me/sessions',
    tags,
    summary: 'List the console sessions of the signed-in user, most recently used first',
    permission: 'session',
    live: true,
    success: { status: 200, schema: OwnSessions },
  },
  current_user_session_delete: {
    method: 'DELETE',
    path: '/x/v1/me/sessions/{session_id}',
    tags,
    summary: 'End a console session of the signed-in user',
    permission: 'session',
    params: { session_id: uuid },
    success: { status: 204 },
  },
  current_user_session_delete_others: {
    method: 'DELETE',
    path: '/x/v1/me/sessions',
    tags,
    summary: 'End all console sessions of the signed-in user except the current one',
    permission: 'session',
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
