import type { ImageFormat, SnapshotConsistencyName } from '@steading/api/rules'
import type { Extent, Throttle } from './block-store.ts'

export interface VolumeSpec {
  /** In bytes. */
  size: number
  blockSize: number
  /**
   * Volume or snapshot whose bytes it begins with. Without a source, and past its end, it reads as
   * zeros.
   */
  source?: string
  /**
   * The storage pool of a volume without a source; the first one unless given. One with a source
   * begins in the pool of the source.
   */
  pool?: string
}

/** Formats in which volumes are opened by a hypervisor. */
export type VolumeFormat = 'raw' | 'qcow2'

/** Where a hypervisor opens an attached volume. */
export interface VolumeSource {
  /** Path of a file or device, or the id where only the engine's own machines open it. */
  path: string
  format: VolumeFormat
}

/** A snapshot that was taken. */
export interface TakenSnapshot {
  /** How consistent the file systems in it are; if that is not known, the least that holds. */
  consistency: SnapshotConsistencyName
}

/** An image that no disk can be made of; its message is for the user. */
export class UnusableImageError extends Error {}

/** The state of a conversion. */
export interface ConversionState {
  done: boolean
  /** Of the image; undefined for bytes that stay as they are, and if another server is at it. */
  format?: ImageFormat
  /** The part that is done, 0 to 1; undefined if another server is at it. */
  part?: number
}

/** Turns images that were written to volumes into the contents of the volumes. */
export interface ImageConverter {
  formats: readonly ImageFormat[]
  /**
   * Begins the conversion of a volume that is no longer written to, or continues with it after a
   * crash, and returns soon. The image ends with the last written byte. Bytes in other formats stay
   * as they are. The volumes of different owners take turns. Deleting the volume ends the conversion.
   * @throws UnusableImageError
   * @throws NoSpaceError
   */
  convert: (volumeId: string, claim: { owner: string; fence?: number }) => Promise<ConversionState>
}

/**
 * The port for the bytes of disks and snapshots. Actions carry the token of the claim behind them
 * (`fence`), or undefined without a claim; see `Machines`.
 */
export interface Volumes {
  create: (volumeId: string, spec: VolumeSpec, fence?: number) => Promise<void>
  delete: (volumeId: string, fence?: number) => Promise<void>
  /**
   * Makes a volume larger, also while a machine has it open; what is new reads as zeros. Does nothing
   * if it has that size or more. A running guest is told by this call, or by `Machines.grow`.
   * @param size bytes
   */
  grow: (volumeId: string, size: number, fence?: number) => Promise<void>
  /**
   * Gives a volume that no machine has open the bytes of a snapshot, and zeros past its end. The
   * volume keeps its size. After an interruption its bytes are undefined until the call is repeated.
   */
  rollBack: (volumeId: string, snapshotId: string, fence?: number) => Promise<void>
  list: () => Promise<string[]>
  /**
   * Keeps the present bytes of a volume; later writes to it and its deletion do not change them. A
   * repeated call answers the same.
   */
  createSnapshot: (snapshotId: string, volumeId: string, fence?: number) => Promise<TakenSnapshot>
  deleteSnapshot: (snapshotId: string, fence?: number) => Promise<void>
  listSnapshots: () => Promise<string[]>
  /**
   * Makes a volume ready for a machine, which alone writes to it until it is detached. Attaching it
   * again, also to another machine, is the control plane's decision.
   * @param fence of the machine
   */
  attach: (volumeId: string, machineId: string, fence: number) => Promise<VolumeSource>
  /** Ends the use of a volume by a machine that is at rest or gone. */
  detach: (volumeId: string, machineId: string, fence: number) => Promise<void>
  /**
   * Writes bytes; durable when it returns. Writes may run side by side.
   * @throws NoSpaceError
   */
  write: (volumeId: string, offset: number, data: Uint8Array) => Promise<void>
  /** Bytes that can still be written to all volumes; `Infinity` where there is no limit. */
  room: () => Promise<number>
  /**
   * Bytes of a volume or a snapshot.
   * @throws ApiError 503 if they are damaged, which is recorded
   */
  read: (id: string, offset: number, length: number) => Promise<Uint8Array>
  /**
   * Extents written to a volume since it was made, until it is sealed; at least all acknowledged
   * writes.
   */
  written: (volumeId: string) => Promise<Extent[]>
  /** Ends an import: the written extents are forgotten. */
  seal: (volumeId: string) => Promise<void>
  /**
   * Whether a machine finds a boot loader in a volume or a snapshot that no machine has open. Missing
   * where machines boot whatever their disks hold.
   */
  boots?: (id: string, media: { cd: boolean }) => Promise<boolean>
  /** Without it, imported bytes are the contents of their disk, whatever they are. */
  images?: ImageConverter
  /**
   * Volumes and snapshots that may have bytes.
   * @param after the id before the first one
   * @returns their ids in order, at most `limit`
   */
  withBytes: (after: string, limit: number) => Promise<string[]>
  /**
   * Reads all bytes of a volume or a snapshot, but those that a machine may be writing to.
   * @param throttle limits the speed
   * @returns the damaged extents
   */
  check: (id: string, throttle: Throttle) => Promise<Extent[]>
  start: () => Promise<void>
  close: () => Promise<void>
}
