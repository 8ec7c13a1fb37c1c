import { InstanceMoveProgress } from '../../compute/moves/schemas.ts'
import { InstanceState } from '../../compute/instances/states.ts'
import {
  boolean,
  dateTime,
  list,
  Name,
  named,
  oneOf,
  record,
  ruledText,
  string,
  uint32,
  uuid,
} from '../../schema.ts'
import {
  MAINTENANCE_REASON_MAX,
  maintenanceInstanceStates,
  maintenanceStates,
  unmovableChoices,
} from './rules.ts'

const UnmovableChoice = named('UnmovableChoice', oneOf(...unmovableChoices))

/** An instance on a sled in maintenance. */
const MaintenanceInstance = record('MaintenanceInstance', {
  id: uuid,
  name: Name,
  silo_name: Name,
  project_name: Name,
  run_state: InstanceState,
  state: named('MaintenanceInstanceState', oneOf(...maintenanceInstanceStates)),
  /** Serial number of the sled that it moves to; null unless it moves. */
  destination: string.nullable(),
  /** How far its move is; null if that is not known. */
  progress: InstanceMoveProgress.nullable(),
  /** Why it cannot move; null otherwise. */
  reason: string.nullable(),
})

/**
 * Maintenance of a sled. The sled is non-provisionable meanwhile, and its running instances move to
 * other sleds.
 */
export const SledMaintenance = record('SledMaintenance', {
  id: uuid,
  sled_id: uuid,
  reason: ruledText(MAINTENANCE_REASON_MAX),
  /** When it is expected to end; null if that is not known. Nothing happens by itself then. */
  time_end: dateTime.nullable(),
  /** Treatment of instances that cannot move. */
  unmovable: UnmovableChoice,
  /** No further instance begins to move, and none is stopped. */
  paused: boolean,
  time_begun: dateTime,
  /** The operator who began it. */
  user_name: string,
})

const SledMaintenanceProgress = record('SledMaintenanceProgress', {
  /** `ready`: no instance is on the sled. `blocked`: only instances that cannot move are. */
  state: named('SledMaintenanceState', oneOf(...maintenanceStates)),
  /** Instances that have moved away. */
  moved: uint32,
  /** Instances that were stopped because they could not move. */
  stopped: uint32,
  /** Instances on the sled, by their state. */
  moving: uint32,
  waiting: uint32,
  impossible: uint32,
  /** The first instances on the sled; those that cannot move come first, then those that move. */
  instances: list(MaintenanceInstance),
})

/** Both are null for a sled that is not in maintenance. */
export const SledMaintenanceStatus = record('SledMaintenanceStatus', {
  maintenance: SledMaintenance.nullable(),
  progress: SledMaintenanceProgress.nullable(),
})

export const SledMaintenanceBegin = record('SledMaintenanceBegin', {
  reason: ruledText(MAINTENANCE_REASON_MAX),
  time_end: dateTime.nullable().optional(),
  unmovable: UnmovableChoice,
})
export const SledMaintenanceUpdate = record('SledMaintenanceUpdate', {
  reason: ruledText(MAINTENANCE_REASON_MAX),
  time_end: dateTime.nullable().optional(),
  unmovable: UnmovableChoice,
})

/** An instance on a sled, and its destination if the maintenance of the sled began now. */
const MaintenancePreviewInstance = record('MaintenancePreviewInstance', {
  id: uuid,
  name: Name,
  silo_name: Name,
  project_name: Name,
  run_state: InstanceState,
  /** Serial number of the sled that would take it; null if none can. */
  sled_serial: string.nullable(),
  /** Why no sled can take it. */
  problem: string.nullable(),
})
/** Effects of the maintenance of a sled on its instances. */
export const SledMaintenancePreview = record('SledMaintenancePreview', {
  /** Number of the instances on the sled. */
  total: uint32,
  /** The first of them. */
  instances: list(MaintenancePreviewInstance),
})

/** The maintenance in the list of sleds. */
export const SledMaintenanceSummary = record('SledMaintenanceSummary', {
  reason: ruledText(MAINTENANCE_REASON_MAX),
  time_end: dateTime.nullable(),
})
