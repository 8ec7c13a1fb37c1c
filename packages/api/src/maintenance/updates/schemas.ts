import { componentKinds, rolloutPartKinds, rolloutPartStates, rolloutStates } from './rules.ts'
import {
  answerMap,
  boolean,
  dateTime,
  list,
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
  /** Release → number of components that run it; also `unknown` and `install dataset`. */
  components_by_release_version: answerMap(uint),
  contact_support: boolean,
  suspended: boolean,
  target_release: TargetRelease.nullable(),
  time_last_step_planned: dateTime,
})

const RolloutComponent = record('RolloutComponent', {
  kind: named('UpdateComponentKind', oneOf(...componentKinds)),
  /** Release of the running software; null if no known release contains it. */
  release: string.nullable(),
  /** Whether this is the software of the target release. */
  updated: boolean,
  installing: boolean,
})
/** A sled or a switch during an update. */
const RolloutPart = record('RolloutPart', {
  kind: named('RolloutPartKind', oneOf(...rolloutPartKinds)),
  id: uuid,
  /** Serial number. */
  name: string,
  state: named('RolloutPartState', oneOf(...rolloutPartStates)),
  /** Instances still on the sled. */
  instances: uint32,
  components: list(RolloutComponent),
})
export const UpdateRollout = record('UpdateRollout', {
  state: named('RolloutState', oneOf(...rolloutStates)),
  target_release: TargetRelease.nullable(),
  /** Reason for the stall; null while it makes progress. */
  problem: string.nullable(),
  time_problem: dateTime.nullable(),
  /** In update order. */
  parts: list(RolloutPart),
})

/** An instance that no other sled can take. */
const UnmovableInstance = record('UnmovableInstance', {
  id: uuid,
  name: string,
  sled_serial: string,
  problem: string,
})
/** Preview of a change of the target release. */
export const UpdatePreview = record('UpdatePreview', {
  sleds: uint32,
  switches: uint32,
  /** Number of components whose software would be replaced. */
  components: uint32,
  /** Number of instances that would migrate. */
  instances: uint32,
  /** The first instances that no other sled can take at present. */
  unmovable: list(UnmovableInstance),
})
