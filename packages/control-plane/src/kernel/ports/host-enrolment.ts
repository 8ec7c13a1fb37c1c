/**
 * The port for adding hosts to those that run machines. An engine reaches a host by an address, from
 * any server; nothing of the control plane runs there.
 */
import type { HostFinding, LeaseHold } from '@steading/api/rules'
import type { BaseboardId } from './hardware.ts'

export interface HostExamination {
  /** In the order of the checks; the last one is the failure, if there is one. */
  findings: HostFinding[]
  /** Undefined if a check failed. */
  host: BaseboardId | undefined
}

/** Whether calls to a host are answered. */
export interface HostConnection {
  connected: boolean
  since: Date
  /** Why not. */
  reason?: string
}

export interface HostEnrolment {
  /**
   * Looks at a host at an address, and runs a trial guest there. Ends in two minutes at most, with a
   * failed check for a host that does not answer. Nothing of the host or the inventory changes. The
   * caller compares the host with those that it knows.
   */
  examine: (address: string) => Promise<HostExamination>
  /**
   * Makes a host a part of the hardware, with a slot that it keeps, or gives it another address. The
   * inventory has it from then on. Repeating it changes nothing.
   */
  enroll: (host: BaseboardId, address: string) => Promise<void>
  /**
   * Forgets the address of a host that is no member of the rack. Its slot stays reserved for it.
   * Does nothing for a host that is unknown.
   */
  forget: (host: BaseboardId) => Promise<void>
  /**
   * Calls a host anew, beside all other calls, and says whether it answers. Ends in ten seconds. False
   * for a host that was not enrolled.
   */
  answers: (serial: string) => Promise<boolean>
  /**
   * Calls a host anew, and says by how many seconds its clock is ahead of that of the server. Ends in
   * ten seconds. Undefined for a host that does not answer, or was not enrolled.
   */
  clockAhead: (serial: string) => Promise<number | undefined>
  /**
   * Whether a host answers, and runs no machine that has ended for the control plane, such as one
   * that was started elsewhere. Ends in half a minute.
   */
  isClear: (serial: string) => Promise<boolean>
  /**
   * Proves by trial guests that a host runs guests only under their leases: it refuses one whose
   * lease another host has, and takes a lease that is free. Ends in four minutes.
   * @throws FencingFault
   */
  tryLeases: (serial: string) => Promise<void>
  /**
   * Whether the guests of a host that does not answer have ended, because another host has taken
   * their leases. Asked again and again meanwhile, because time passes only between the answers. Ends
   * in four minutes.
   * @returns why that is not proven yet; undefined if it is
   * @throws FencingFault if nobody can prove it
   */
  leaseHold: (serial: string) => Promise<LeaseHold | undefined>
  /** Undefined until this server has called the host, and for one that was not enrolled. */
  connection: (serial: string) => HostConnection | undefined
}
