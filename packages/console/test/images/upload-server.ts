import type { Disk, Image } from '@steading/api/client'
import { ApiError } from '../../src/data/errors.ts'
import type { Extent } from '../../src/storage/images/upload-state.ts'
import type { UploadTransport } from '../../src/storage/images/upload-transport.ts'
import { fromBase64, sha256 } from './bytes.ts'

export const apiError = (status: number, code?: string, message = 'No') =>
  new ApiError('diskBulkWriteImport', message, status, code)

/** The calls of an upload, implemented in memory. */
export class UploadServer {
  readonly calls: string[] = []
  readonly chunks = new Map<number, Uint8Array>()
  state: Disk['state']['state'] | 'deleted' = 'import_ready'
  snapshot = false
  /** Whether the end of the import begins a conversion, which goes on for ever. */
  converts = false
  inFlight = 0
  mostInFlight = 0
  /** Called before each operation; may throw or wait. */
  before: (operation: string, offset?: number) => void | Promise<void> = () => {}

  private async note(operation: string, offset?: number) {
    this.calls.push(operation)
    await this.before(operation, offset)
  }

  bytes(length: number): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(length)
    for (const [offset, chunk] of this.chunks) all.set(chunk, offset)
    return all
  }

  private readonly disk = () => ({ id: 'disk-id', state: { state: this.state } }) as unknown as Disk

  private async take(offset: number, bytes: Uint8Array, signal: AbortSignal) {
    this.mostInFlight = Math.max(this.mostInFlight, ++this.inFlight)
    try {
      await this.note('write', offset)
      await new Promise((resolve) => setTimeout(resolve, 1))
      signal.throwIfAborted()
      if (this.state !== 'importing_from_bulk_writes') throw apiError(400, 'InvalidRequest')
      this.chunks.set(offset, bytes)
    } finally {
      this.inFlight--
    }
  }

  transport({ resumable = true } = {}): UploadTransport {
    const plain: UploadTransport = {
      createDisk: async () => {
        await this.note('createDisk')
        return this.disk()
      },
      viewDisk: async () => {
        await this.note('viewDisk')
        return this.disk()
      },
      startImport: async () => {
        await this.note('startImport')
        this.state = 'importing_from_bulk_writes'
      },
      write: (_id, offset, base64, signal) => this.take(offset, fromBase64(base64), signal),
      stopImport: async () => {
        await this.note('stopImport')
        this.state = 'import_ready'
      },
      finalize: async (_id, snapshotName) => {
        await this.note(snapshotName ? 'finalize with snapshot' : 'finalize')
        this.state = this.converts ? 'finalizing' : 'detached'
        this.snapshot = Boolean(snapshotName)
      },
      snapshotId: async () => {
        await this.note('snapshotId')
        if (!this.snapshot) throw apiError(404, 'ObjectNotFound')
        return 'snapshot-id'
      },
      createImage: async () => {
        await this.note('createImage')
        return {} as Image
      },
      deleteSnapshot: async () => {
        await this.note('deleteSnapshot')
        this.snapshot = false
      },
      deleteDisk: async () => {
        await this.note('deleteDisk')
        const canDelete = this.converts ? ['detached', 'finalizing'] : ['detached']
        if (!canDelete.includes(this.state)) throw apiError(400, 'InvalidRequest')
        this.state = 'deleted'
      },
    }
    if (!resumable) return plain
    return {
      ...plain,
      ...(this.converts && {
        conversion: async () => ({ format: 'qcow2', percent: 1, problem: null }),
      }),
      written: async () => {
        await this.note('written')
        return this.extents()
      },
      writeRaw: async (_id, offset, chunk, signal) =>
        this.take(offset, new Uint8Array(await chunk.arrayBuffer()), signal),
      read: async (_id, { offset, length }) =>
        this.bytes(64 * 1024 ** 2).subarray(offset, offset + length),
      checksum: async (_id, length) => {
        await this.note('checksum')
        return sha256(this.bytes(length))
      },
    }
  }

  extents(): Extent[] {
    return [...this.chunks]
      .map(([offset, { length }]) => ({ offset, length }))
      .sort((a, b) => a.offset - b.offset)
  }

  /** All operations except chunk writes. */
  steps = () => this.calls.filter((call) => call !== 'write')
}
