import { LIST_MAX } from '../../rules/limits.ts'
import {
  array,
  dateTime,
  integer,
  named,
  oneOf,
  record,
  shortText,
  uint16,
  uuid,
} from '../../schema.ts'
import { Baseboard } from '../switches/schemas.ts'

export const Rack = record('Rack', {
  id: uuid,
  time_created: dateTime,
  time_modified: dateTime,
})

/** Unique identity of a sled. */
export const BaseboardId = record('BaseboardId', {
  part_number: shortText,
  serial_number: shortText,
})
const baseboards = array(BaseboardId, LIST_MAX, { uniqueItems: true })

/** Every change to the sleds of a rack increments the version. */
export const RackMembershipVersion = named(
  'RackMembershipVersion',
  integer('uint64', 'u64', 0, 2 ** 64),
)

export const RackMembershipStatus = record('RackMembershipStatus', {
  rack_id: uuid,
  version: RackMembershipVersion,
  state: named('RackMembershipChangeState', oneOf('in_progress', 'committed', 'aborted')),
  members: baseboards,
  /** Sleds that have not yet acknowledged their membership. */
  unacknowledged_members: baseboards,
  time_created: dateTime,
  time_committed: dateTime.nullable().optional(),
  time_aborted: dateTime.nullable().optional(),
})
export const RackMembershipAddSledsRequest = record('RackMembershipAddSledsRequest', {
  sled_ids: baseboards,
})

/** A sled in a rack that is not in use. */
export const UninitializedSled = record('UninitializedSled', {
  baseboard: Baseboard,
  rack_id: uuid,
  cubby: uint16,
})
