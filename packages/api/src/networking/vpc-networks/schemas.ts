import { boolean, dateTime, record, uint32 } from '../../schema.ts'

export const VpcNetworkStatus = record('VpcNetworkStatus', {
  /** Rises with each change that is in effect; null if none has been. */
  version: uint32.nullable(),
  time_applied: dateTime.nullable(),
  /** The present rules, routes and addresses are not in effect on all hosts yet. */
  behind: boolean,
})
