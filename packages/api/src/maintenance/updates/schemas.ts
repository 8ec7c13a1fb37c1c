import { componentKinds, rolloutPartKinds, rolloutPartStates, rolloutStates } from './rules.ts'
import {
  array,
  boolean,
  dateTime,
  map,
  named,
  oneOf,
  record,
  string,
  uint,
  uint32,
  uuid,
} from '../../schema.ts'
import { SystemVersion } from '../update-repositories/schemas.ts'

export const SetTargetReleaseParams = record('SetTargetReleaseParams', {
  system_version: SystemVersion,
})
export const TargetRelease = record('TargetRelease', {
  time_requested: dateTime,
  version: SystemVersion,
})

export const UpdateStatus = record('UpdateStatus', {
  /** Release → how many components run it; also `unknown` and `install dataset`. */
  components_by_release_version: map(uint),
  contact_support: boolean,
  suspended: boolean,
  target_release: TargetRelease.nullable(),
  time_last_step_planned: dateTime,
})

const RolloutComponent = record('RolloutComponent', {
  kind: named('UpdateComponentKind', oneOf(...componentKinds)),
  /** Release whose software runs; null if no release is known that has it. */
  release: string.nullable(),
  /** Whether that is the software of the target release. */
  updated: boolean,
  installing: boolean,
})
/** A sled or a switch on its way to the target release. */
const RolloutPart = record('RolloutPart', {
  kind: named('RolloutPartKind', oneOf(...rolloutPartKinds)),
  id: uuid,
  /** Serial number. */
  name: string,
  state: named('RolloutPartState', oneOf(...rolloutPartStates)),
  /** That are still on the sled. */
  instances: uint32,
  components: array(RolloutComponent),
})
export const UpdateRollout = record('UpdateRollout', {
  state: named('RolloutState', oneOf(...rolloutStates)),
  target_release: TargetRelease.nullable(),
  /** Why it does not go on; null while it does. */
  problem: string.nullable(),
  time_problem: dateTime.nullable(),
  /** In the order in which they are updated. */
  parts: array(RolloutPart),
})

/** An instance for which no other sled has a place. */
const UnmovableInstance = record('UnmovableInstance', {
  id: uuid,
  name: string,
  sled_serial: string,
  problem: string,
})
/** What would happen if a release became the target. */
export const UpdatePreview = record('UpdatePreview', {
  sleds: uint32,
  switches: uint32,
  /** Parts of them whose software would be replaced. */
  components: uint32,
  /** Instances that would move to other sleds. */
  instances: uint32,
  /** Of them, those for which there is no place at present; the first ones. */
  unmovable: array(UnmovableInstance),
})
