import type { Extent, Pace } from './block-store.ts'

export interface VolumeSpec {
  /** In bytes. */
  size: number
  blockSize: number
  /**
   * Volume or snapshot whose bytes it begins with. Without a source, and past its end, it reads as
   * zeros.
   */
  source?: string
}

/** The port for the bytes of disks and snapshots. It does not depend on the engine for machines. */
export interface Volumes {
  create: (volumeId: string, spec: VolumeSpec) => Promise<void>
  delete: (volumeId: string) => Promise<void>
  list: () => Promise<string[]>
  /**
   * Keeps the present bytes of a volume; later writes to it and its deletion do not change them.
   */
  createSnapshot: (snapshotId: string, volumeId: string) => Promise<void>
  deleteSnapshot: (snapshotId: string) => Promise<void>
  listSnapshots: () => Promise<string[]>
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
   * Reads all bytes of a volume or a snapshot.
   * @param pace limits the speed
   * @returns the damaged extents
   */
  check: (id: string, pace: Pace) => Promise<Extent[]>
  start: () => Promise<void>
  close: () => Promise<void>
}
