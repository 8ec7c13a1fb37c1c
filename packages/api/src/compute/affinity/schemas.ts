import { InstanceState } from '../instances/states.ts'
import { affinityPolicies } from './rules.ts'
import {
  identity,
  identityCreate,
  identityUpdate,
  Name,
  named,
  object,
  oneOf,
  record,
  tagged,
  uint64,
  uuid,
} from '../../schema.ts'

export const AffinityPolicy = named('AffinityPolicy', oneOf(...affinityPolicies))
export const FailureDomain = named('FailureDomain', oneOf('sled'))

const member = () =>
  tagged('type', {
    instance: { value: object({ id: uuid, name: Name, run_state: InstanceState }) },
  })

const settings = { policy: AffinityPolicy, failure_domain: FailureDomain }

const groupFields = { ...identity, ...settings, project_id: uuid }

/** Schemas of one kind of group. Both kinds have the same shape under different names. */
function groupSchemas(name: 'AffinityGroup' | 'AntiAffinityGroup') {
  const Group = record(name, groupFields)
  const Member = named(`${name}Member`, member())
  return {
    Group,
    Create: record(`${name}Create`, { ...identityCreate, ...settings }),
    Update: record(`${name}Update`, identityUpdate),
    /** A group in a searched list, with the data that clients would otherwise request per row. */
    Listed: record(`Listed${name}`, { ...groupFields, member_count: uint64 }),
    Member,
  }
}

export const affinityGroup = groupSchemas('AffinityGroup')
export const antiAffinityGroup = groupSchemas('AntiAffinityGroup')
