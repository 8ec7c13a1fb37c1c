import {
  ByteCount,
  dateTime,
  list,
  Name,
  named,
  oneOf,
  record,
  string,
  uint32,
  uuid,
} from '../../schema.ts'
import { SledReference } from '../../hardware/sleds/references.ts'
import { moveCauses, moveStates } from './rules.ts'

/**
 * The progress of a move. The sent bytes (`bytes_processed`) and the remaining ones may be fewer than
 * the total, because empty memory is not sent. Memory that the guest changes meanwhile remains again.
 */
export const InstanceMoveProgress = record('InstanceMoveProgress', {
  bytes_total: ByteCount,
  bytes_processed: ByteCount,
  bytes_remaining: ByteCount,
  bytes_per_second: ByteCount,
})

/** A move of a running instance from one sled to another. */
export const InstanceMove = record('InstanceMove', {
  id: uuid,
  instance_id: uuid,
  instance_name: Name,
  project_name: Name,
  silo_name: Name,
  from: SledReference,
  to: SledReference,
  cause: named('InstanceMoveCause', oneOf(...moveCauses)),
  state: named('InstanceMoveState', oneOf(...moveStates)),
  /** Why it failed; null otherwise. */
  reason: string.nullable(),
  /** The operator who has cancelled it; it may still arrive. Null otherwise. */
  cancelled_by: string.nullable(),
  /** Null unless it moves and its engine has said how far it is. */
  progress: InstanceMoveProgress.nullable(),
  /** The operator who requested it, or who began the maintenance; null for an update. */
  user_name: string.nullable(),
  time_started: dateTime,
  /** Null while the instance moves. */
  time_finished: dateTime.nullable(),
})

/** A sled as the destination of an instance. */
const InstanceDestination = record('InstanceDestination', {
  id: uuid,
  serial: string,
  /** Hardware threads that no instance has. */
  free_hardware_threads: uint32,
  /** Memory that no instance has. */
  free_physical_ram: ByteCount,
  /** Why the sled cannot take the instance; null if it can. */
  problem: string.nullable(),
})
/** Sleds that can take the instance come first, and of these the emptiest. */
export const InstanceDestinations = record('InstanceDestinations', {
  items: list(InstanceDestination),
})

export const InstanceMoveCreate = record('InstanceMoveCreate', {
  /** The destination. */
  sled_id: uuid,
})

/** The sled of an instance. Both are null for callers who may not read sleds. */
export const InstanceSledView = record('InstanceSledView', {
  /** Null for an instance that does not run. */
  sled: SledReference.nullable(),
  /** The newest move of the instance; null if it was never moved. */
  move: InstanceMove.nullable(),
})
