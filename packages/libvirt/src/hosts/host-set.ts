/** The hosts of the engine: that of this server alone, or those that operators have added. */
import type { Duplex } from 'node:stream'
import type { MachineSpec } from '@steading/control-plane/ports'
import type { Accelerator } from '../accelerator.ts'
import type { MachineFiles } from '../files.ts'
import type { Keyboard } from '../keyboard.ts'
import type { Libvirt } from '../native/libvirt.ts'

/** A host whose libvirt answers. */
export interface Host {
  serial: string
  libvirt: Libvirt
  files: MachineFiles
  accelerator: Accelerator
  /**
   * The serial port of a machine, for keys.
   * @param over called when no more keys can be typed; with the reason after a failure
   */
  openKeyboard: (machineId: string, over: (failure?: Error) => void) => Keyboard
  /** Connects to the screen of a machine. */
  openScreen: (machineId: string) => Promise<Duplex>
}

export interface HostSet {
  /** Serial numbers of all hosts. */
  serials: () => Promise<string[]>
  /** Whether this server brings the machines of a host where they are wanted. */
  drives: (serial: string) => boolean
  /** Whether a host has answered when it was asked last, or was not asked yet. */
  answers: (serial: string) => boolean
  /** The host that a new machine runs on. */
  placeOf: (spec: Pick<MachineSpec, 'sled'>) => string
  /** Whether there is such a host. */
  has: (serial: string) => boolean
  /** @throws LibvirtError if its libvirt does not answer */
  of: (serial: string) => Promise<Host>
  /** Where the files of machines of a host are. */
  filesOf: (serial: string) => Promise<MachineFiles>
  /** libvirt of a host, if it has been reached. */
  opened: (serial: string) => Libvirt | undefined
  /** Notes that a host has been asked for the state of its machines, and has answered or not. */
  noted: (serial: string, failure: unknown) => void
  /** Abandons all calls to all hosts. */
  abandon: () => void
}
