/**
 * The port to the power switches of hosts: management controllers, or hypervisors. It says whether a
 * host is off, which no silence of the host does.
 */
import type { PowerState, PowerSwitchMethod } from '@steading/api/rules'

/** A power switch, as an operator has set it. */
export interface PowerSwitch {
  method: PowerSwitchMethod
  /** Host name or IP address of a management controller, or the address of a hypervisor's libvirt. */
  address: string
  /** Null: the usual one. */
  port: number | null
  user: string | null
  password: string | null
  /** Path of the system in Redfish, null for the only one; or the domain at a hypervisor. */
  system: string | null
  verifyCertificate: boolean
}

/** A fencing method does not do what it is asked; the message has the reason, without a password. */
export class FencingFault extends Error {
  readonly remedy: string
  constructor(reason: string, remedy: string) {
    super(reason)
    this.remedy = remedy
  }
}

export interface Fencing {
  /**
   * Milliseconds between two calls to a silent host before it is switched off, and the first pause
   * after a failed attempt to do so.
   */
  paceMs: number
  /**
   * Asks for the present power state. Ends in half a minute at most.
   * @throws FencingFault
   */
  power: (at: PowerSwitch) => Promise<PowerState>
  /**
   * Switches the power off by force, and waits until it is off, but at most two minutes. Whether it is
   * has to be asked afterwards. Does nothing to a host that is off.
   * @throws FencingFault
   */
  switchOff: (at: PowerSwitch) => Promise<void>
}
