import {
  boolean,
  dateTime,
  list,
  named,
  oneOf,
  record,
  ruledText,
  string,
  uuid,
} from '../../schema.ts'
import { HostFencingStatus } from '../host-fencing/schemas.ts'
import { HOST_ADDRESS_MAX, hostCheckOutcomes, hostChecks, hostStates } from './rules.ts'

/** The result of one check of a host. */
const HostFinding = record('HostFinding', {
  check: named('HostCheck', oneOf(...hostChecks)),
  outcome: named('HostCheckOutcome', oneOf(...hostCheckOutcomes)),
  /** The observation, as a sentence without a full stop. */
  detail: string,
  /** The advice to operators; null for a check that passed. */
  remedy: string.nullable(),
})

/** Whether a host answers the calls of the server that is asked. */
const HostConnection = record('HostConnection', {
  connected: boolean,
  time_since: dateTime,
  /** Why it is not connected; null if it is. */
  reason: string.nullable(),
})

export const Host = record('Host', {
  id: uuid,
  /** The host name or the IP address in its address. */
  name: string,
  /** Address of its libvirt. */
  address: string,
  /**
   * The address that a host in service gets once it has passed the checks there; null if none is
   * waiting.
   */
  next_address: string.nullable(),
  state: named('HostState', oneOf(...hostStates)),
  /** Whether it is being checked, or is about to be. Hosts in service stay there meanwhile. */
  checking: boolean,
  /**
   * The results of the last checks, in their order and up to the first failure; about
   * `next_address` if there is one. Empty until the first checks have ended. The clock of a host in
   * service is looked at in between as well; what follows it here may then be older.
   */
  findings: list(HostFinding),
  /** When the last checks ended. */
  time_checked: dateTime.nullable(),
  /** Known once it has passed the checks. */
  part: string.nullable(),
  serial: string.nullable(),
  /** Its sled; null until it is added, and after it is decommissioned. */
  sled_id: uuid.nullable(),
  /** Null until the server has called it, and for hosts that were not enrolled. */
  connection: HostConnection.nullable(),
  fencing: HostFencingStatus,
  time_created: dateTime,
  time_modified: dateTime,
})

const address = ruledText(HOST_ADDRESS_MAX)
/** The address of its libvirt, such as `qemu+ssh://user@host/system`. */
export const HostCreate = record('HostCreate', { address })
export const HostUpdate = record('HostUpdate', { address })
