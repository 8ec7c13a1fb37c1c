import { boolean, dateTime, list, oneOf, record, string, uuid } from '../../schema.ts'
import { addressDoubts } from './own-address.ts'
import { usual } from '../../kinds/usual.ts'

const sessionFields = { id: uuid, time_created: dateTime, time_last_used: dateTime }

const ConsoleSession = record('ConsoleSession', sessionFields)

/** A session as shown to its user. */
const OwnSession = record('OwnSession', {
  ...sessionFields,
  /** Absolute expiry, independent of use. */
  time_expires: dateTime,
  /** Client address at sign-in, if known. */
  client_address: string.nullable(),
  user_agent: string.nullable(),
  /** Whether the call was made with this session. */
  current: boolean,
})
/** The address from which a call came. */
const OwnAddress = record('OwnAddress', {
  /** As the server sees it; null if the host does not know it. */
  address: string.nullable(),
  /** Why instances may see another address; null if they would see this one. */
  doubt: oneOf(...addressDoubts).nullable(),
})
const OwnSessions = record('OwnSessions', { items: list(OwnSession) })

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
  current_user_address_view: {
    route: 'GET /x/v1/me/address',
    summary: 'Show the address from which the call came',
    answer: OwnAddress,
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
