import { boolean, dateTime, record, uint32 } from '../../schema.ts'

export const VpcNetworkStatus = record('VpcNetworkStatus', {
  /** Packets pass between the instances of the VPC, as far as its rules and routes permit. */
  carried: boolean,
  /** Rises with each change that is in effect; null if none has been, and with an engine that
   * follows all changes at once.
   */
  version: uint32.nullable(),
  time_applied: dateTime.nullable(),
  /** The present rules, routes and addresses are not in effect on all hosts yet. */
  behind: boolean,
})
