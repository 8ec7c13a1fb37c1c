import { dateTime, record, resultsPage, uuid } from '../../schema.ts'

/** What is known of a token; the token itself is shown to its device only. */
export const DeviceAccessToken = record('DeviceAccessToken', {
  id: uuid,
  time_created: dateTime,
  /** Null: it does not expire. */
  time_expires: dateTime.nullable().optional(),
})
export const DeviceAccessTokenResultsPage = resultsPage('DeviceAccessToken', DeviceAccessToken)
