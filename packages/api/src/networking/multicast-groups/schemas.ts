import { NAME_MAX } from '../../rules/names.ts'
import { IpVersion } from '../ip-pools/schemas.ts'
import { ip } from '../../network.ts'
import { MULTICAST_MAX_SOURCES, multicastGroupProblem, multicastGroupSelector } from './rules.ts'
import {
  boolean,
  identity,
  list,
  named,
  record,
  ruledArray,
  string,
  text,
  uint64,
  uuid,
} from '../../schema.ts'

/** A name, an id, or the multicast address. */
export const MulticastGroupIdentifier = named(
  'MulticastGroupIdentifier',
  text(NAME_MAX, {}, multicastGroupProblem, multicastGroupSelector),
)

const sources = ruledArray(ip, MULTICAST_MAX_SOURCES).nullable().default(null)

export const MulticastGroupJoinSpec = record('MulticastGroupJoinSpec', {
  group: MulticastGroupIdentifier,
  ip_version: IpVersion.nullable().default(null),
  source_ips: sources,
})

/** Absent sources remain unchanged; an empty list means any source. */
export const InstanceMulticastGroupJoin = record('InstanceMulticastGroupJoin', {
  ip_version: IpVersion.nullable().default(null),
  source_ips: sources,
})

const groupFields = {
  ...identity,
  multicast_ip: ip,
  ip_pool_id: uuid,
  /** Sources of all members, without duplicates. */
  source_ips: list(ip),
  /** At least one member receives from any source. */
  has_any_source_member: boolean,
  state: string,
}
export const MulticastGroup = record('MulticastGroup', groupFields)

/** A group in a searched list, with the data that clients would otherwise request per row. */
export const ListedMulticastGroup = record('ListedMulticastGroup', {
  ...groupFields,
  member_count: uint64,
})

const memberFields = {
  ...identity,
  multicast_group_id: uuid,
  multicast_ip: ip,
  instance_id: uuid,
  source_ips: list(ip),
  state: string,
}
export const MulticastGroupMember = record('MulticastGroupMember', memberFields)

/** A member with its instance, if the caller may read the instance. */
export const MulticastGroupMemberDetails = record('MulticastGroupMemberDetails', {
  ...memberFields,
  instance_name: string.nullable(),
  project_name: string.nullable(),
})
