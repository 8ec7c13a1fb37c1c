import { dateTime, record, resultsPage, uuid } from '../../schema.ts'

/** A token without its secret, which is shown only to the device. */
export const DeviceAccessToken = record('DeviceAccessToken', {
  id: uuid,
  time_created: dateTime,
  /** Null if it does not expire. */
  time_expires: dateTime.nullable().optional(),
})
export const DeviceAccessTokenResultsPage = resultsPage('DeviceAccessToken', DeviceAccessToken)
