import { LIST_MAX } from '../../rules/limits.ts'
import { GROUP_NAME_MAX, groupNameProblem, identitySources } from '../../tenancy/silos/rules.ts'
import {
  array,
  dateTime,
  list,
  named,
  oneOf,
  record,
  string,
  text,
  uint64,
  uuid,
} from '../../schema.ts'

const groupFields = {
  id: uuid,
  display_name: string,
  silo_id: uuid,
  time_created: dateTime,
  time_modified: dateTime,
}

export const Group = record('Group', groupFields)

/** Origin of a user or group. */
export const IdentitySource = named('IdentitySource', oneOf(...identitySources))

/** A group as shown to administrators. */
export const GroupDetails = record('GroupDetails', {
  ...groupFields,
  source: IdentitySource,
  members: uint64,
})
export const GroupDetailsResultsPage = record('GroupDetailsResultsPage', {
  items: list(GroupDetails),
  next_page: string.nullable().optional(),
  /** Groups on all pages; null if there are more than `LIST_COUNT_MAX`. */
  total: uint64.nullable(),
})

export const GroupCreate = record('GroupCreate', {
  display_name: text(GROUP_NAME_MAX, { pattern: '\\S' }, groupNameProblem),
})

/** Users to add to a group and to remove from it. */
export const GroupMembersUpdate = record('GroupMembersUpdate', {
  add: array(uuid, LIST_MAX),
  remove: array(uuid, LIST_MAX),
})
