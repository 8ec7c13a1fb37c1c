import { boolean, dateTime, list, record, string, uuid } from '../../schema.ts'

const sessionFields = { id: uuid, time_created: dateTime, time_last_used: dateTime }

export const ConsoleSession = record('ConsoleSession', sessionFields)

/** A session as shown to its user. */
export const OwnSession = record('OwnSession', {
  ...sessionFields,
  /** Absolute expiry, independent of use. */
  time_expires: dateTime,
  /** Client address at sign-in, if known. */
  client_address: string.nullable(),
  user_agent: string.nullable(),
  /** Whether the call was made with this session. */
  current: boolean,
})
export const OwnSessions = record('OwnSessions', { items: list(OwnSession) })
