/**
 * What runs virtual machines and holds the bytes of disks. The control plane knows engines only
 * through this port. Every call may be repeated: asking twice for the same thing does it once.
 */
import type { ConsolePlace } from '@steading/api/rules'
import type { Extent } from './block-store.ts'

/** What a virtual machine is made of. */
export interface VmSpec {
  name: string
  hostname: string
  ncpus: number
  /** Bytes. */
  memory: number
  sledSerial: string
  disks: { name: string; size: number; readOnly: boolean; boot: boolean }[]
  interfaces: { name: string; mac: string; ips: string[] }[]
}

export type VmPhase =
  | 'absent'
  | 'booting'
  | 'running'
  | 'rebooting'
  | 'stopping'
  | 'stopped'
  | 'failed'

export interface VmObservation {
  phase: VmPhase
  /** Reboots carried out or begun. */
  reboots: number
  /** When it will be worth looking again, if the engine can tell. */
  changesAt?: Date
}

export interface VolumeSpec {
  /** Bytes. */
  size: number
  blockSize: number
  /** Volume or snapshot whose bytes it begins with; zeros without one, and past its end. */
  source?: string
}

/** A stretch of serial console output. */
export interface ConsoleOutput {
  data: Uint8Array
  /** Bytes since boot, just after the last one in `data`. */
  endOffset: number
}

/** Somebody who looks at a serial console. */
export interface ConsoleViewer {
  write: (data: Uint8Array) => void
  /** Told before the first byte, and whenever the next is another: after a boot, or with some left out. */
  goOnAt: (place: ConsolePlace) => void
  /** Bytes that were written and have not been taken yet; who has many gets no more. */
  pending: () => number
  close: (code?: number, reason?: string) => void
}

/** Where a viewer begins: so many bytes back, everything since boot, or where another look ended. */
export type ConsoleStart = { mostRecent: number | undefined } | ConsolePlace

/** What a viewer does at a serial console. */
export interface ConsoleLine {
  type: (data: Uint8Array) => void
  /** Some of what was pending has been taken. */
  drained: () => void
  leave: () => void
}

export interface ComputeEngine {
  /** Brings a VM up, if it is not up already. */
  run: (vmId: string, spec: VmSpec) => Promise<void>
  /** Begins shutting a VM down. */
  stop: (vmId: string) => Promise<void>
  /** Reboots until `count` reboots have been made since the VM was run. */
  reboot: (vmId: string, count: number) => Promise<void>
  /** Removes a VM and all that the engine knows of it. */
  destroy: (vmId: string) => Promise<void>
  observe: (vmId: string) => Promise<VmObservation>
  /** Ids of all VMs the engine has; to find what nobody owns any more. */
  listVms: () => Promise<string[]>
  /** Calls back when a VM changed by itself. */
  subscribe: (changed: (vmId: string) => void) => void

  createVolume: (volumeId: string, spec: VolumeSpec) => Promise<void>
  deleteVolume: (volumeId: string) => Promise<void>
  listVolumes: () => Promise<string[]>
  /** Keeps what a volume holds now; neither later writes to it nor its end change that. */
  createSnapshot: (snapshotId: string, volumeId: string) => Promise<void>
  deleteSnapshot: (snapshotId: string) => Promise<void>
  listSnapshots: () => Promise<string[]>
  /**
   * Writes bytes; durable when it returns. Writes may run side by side.
   * @throws NoSpaceError
   */
  writeVolume: (volumeId: string, offset: number, data: Uint8Array) => Promise<void>
  /** Bytes of a volume or a snapshot. */
  readVolume: (id: string, offset: number, length: number) => Promise<Uint8Array>
  /** Where a volume has been written to until it was sealed; at least what was acknowledged. */
  writtenExtents: (volumeId: string) => Promise<Extent[]>
  /** An import is over: what was written where is of no more interest. */
  sealVolume: (volumeId: string) => Promise<void>

  /** Output from an offset on (bytes since boot), clipped to what is kept. */
  readConsole: (vmId: string, from: number, maxBytes?: number) => Promise<ConsoleOutput>
  /** Bytes of output since boot. */
  consoleLength: (vmId: string) => Promise<number>
  /** Shows a console from here on. A viewer who does not keep up misses output, and holds up nobody. */
  openConsole: (vmId: string, start: ConsoleStart, viewer: ConsoleViewer) => ConsoleLine

  start: () => Promise<void>
  close: () => Promise<void>
}
