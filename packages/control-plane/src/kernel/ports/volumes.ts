import type { Extent } from './block-store.ts'

export interface VolumeSpec {
  /** Bytes. */
  size: number
  blockSize: number
  /** Volume or snapshot whose bytes it begins with; zeros without one, and past its end. */
  source?: string
}

/** What holds the bytes of disks and snapshots, for whatever runs machines. */
export interface Volumes {
  create: (volumeId: string, spec: VolumeSpec) => Promise<void>
  delete: (volumeId: string) => Promise<void>
  list: () => Promise<string[]>
  /** Keeps what a volume holds now; neither later writes to it nor its end change that. */
  createSnapshot: (snapshotId: string, volumeId: string) => Promise<void>
  deleteSnapshot: (snapshotId: string) => Promise<void>
  listSnapshots: () => Promise<string[]>
  /**
   * Writes bytes; durable when it returns. Writes may run side by side.
   * @throws NoSpaceError
   */
  write: (volumeId: string, offset: number, data: Uint8Array) => Promise<void>
  /** Bytes of a volume or a snapshot. */
  read: (id: string, offset: number, length: number) => Promise<Uint8Array>
  /** Where a volume has been written to until it was sealed; at least what was acknowledged. */
  written: (volumeId: string) => Promise<Extent[]>
  /** An import is over: what was written where is of no more interest. */
  seal: (volumeId: string) => Promise<void>
  start: () => Promise<void>
  close: () => Promise<void>
}
