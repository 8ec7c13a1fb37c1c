import {
  boolean,
  dateTime,
  filledText,
  list,
  named,
  oneOf,
  record,
  ruledText,
  string,
  text,
  uint16,
} from '../../schema.ts'
import {
  FENCING_ADDRESS_MAX,
  FENCING_PASSWORD_MAX,
  FENCING_SYSTEM_MAX,
  FENCING_USER_MAX,
  fencingMethods,
  fencingStates,
  hostEventKinds,
  leaseHolds,
  powerStates,
  provingMethods,
} from './rules.ts'

const FencingMethod = named('FencingMethod', oneOf(...fencingMethods))

/** How far the fencing of a host is. */
export const HostFencingStatus = record('HostFencingStatus', {
  method: FencingMethod,
  /** Whether it is switched off by itself once it does not answer. */
  automatic: boolean,
  state: named('FencingState', oneOf(...fencingStates)),
  /** When that state began; null if nothing has happened yet. */
  time_since: dateTime.nullable(),
  /** Why a silent host is not proven dead, or why the last attempt failed. */
  reason: string.nullable(),
  /** The advice about that. */
  remedy: string.nullable(),
  /** While its leases are waited for: why they prove nothing yet. */
  lease_hold: named('LeaseHold', oneOf(...leaseHolds)).nullable(),
})

/**
 * The answer of a power switch to the question for the power state, or the result of a trial of the
 * leases.
 */
const PowerCheck = record('PowerCheck', {
  time_checked: dateTime,
  /** Null if there was no answer, and for leases, which work if there is no problem. */
  power: named('PowerState', oneOf(...powerStates)).nullable(),
  problem: string.nullable(),
  remedy: string.nullable(),
})

/** How a host is switched off. The password is never shown. */
export const HostFencing = record('HostFencing', {
  method: FencingMethod,
  automatic: boolean,
  /** Of the management controller, or of the hypervisor's libvirt. */
  address: string.nullable(),
  /** Null: the usual one. */
  port: uint16.nullable(),
  user: string.nullable(),
  has_password: boolean,
  /** Path of the system in Redfish (null: the only one), or the domain of the host. */
  system: string.nullable(),
  verify_certificate: boolean,
  /** Whether its power state is being asked for, or is about to be. */
  checking: boolean,
  /** The last answer; null if it was never asked. */
  last_check: PowerCheck.nullable(),
})

export const HostFencingUpdate = record('HostFencingUpdate', {
  method: named('ProvingMethod', oneOf(...provingMethods)),
  automatic: boolean,
  /** Of the power switch; `leases` have none. */
  address: ruledText(FENCING_ADDRESS_MAX).nullable().optional(),
  /** Absent: the usual one. */
  port: uint16.nullable().optional(),
  user: text(FENCING_USER_MAX).nullable().optional(),
  /**
   * Absent: the present one stays, which is possible only while method, address, port and
   * `verify_certificate` stay too.
   */
  password: filledText(FENCING_PASSWORD_MAX).optional(),
  system: text(FENCING_SYSTEM_MAX).nullable().optional(),
  /** Absent: yes. */
  verify_certificate: boolean.optional(),
})

const HostEvent = record('HostEvent', {
  time_recorded: dateTime,
  kind: named('HostEventKind', oneOf(...hostEventKinds)),
  /** Without a full stop. */
  sentence: string,
})

/** The events around a host that did not answer, the first ones first. */
export const HostStory = record('HostStory', { events: list(HostEvent) })

/** The same from the view of an instance: of the last time that its host did not answer. */
export const InstanceHostStory = record('InstanceHostStory', {
  /** Why the instance waits now; null if it does not. */
  waiting: string.nullable(),
  events: list(HostEvent),
})
