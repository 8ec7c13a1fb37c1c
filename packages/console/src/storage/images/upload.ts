import { importSteps } from '@steading/api/rules'
import { ApiError } from '../../data/errors.ts'
import { toBase64 } from './write-chunk.ts'
import { temporaryNames, type TemporaryNames } from './import-args.ts'
import { CHUNK_SIZE, chunkSizeOf, readUnlessZero, takeSlice, writeChunks } from './upload-chunks.ts'
import {
  connectionLost,
  ConversionError,
  DifferentContentError,
  uploadErrorMessage,
  waitOnline,
} from './upload-errors.ts'
import { Meter } from './upload-meter.ts'
import { isRefusedSize, ProxyLimitError } from './proxy-limit.ts'
import {
  firstState,
  uploadSteps,
  type Extent,
  type ImageValues,
  type ImportDisk,
  type UploadState,
} from './upload-state.ts'
import {
  discardImport,
  waitUntilFinalized,
  type BlockSize,
  type UploadTransport,
} from './upload-transport.ts'

/** Bytes of the Base64 of a chunk. */
const ENCODED_CHUNK = (CHUNK_SIZE / 3) * 4
const REQUEST_TIMEOUT = 30_000
/** Number of retries after the first attempt. */
const RETRIES = 2
const FIRST_WAIT = 500
const LONGEST_WAIT = 10_000

export type UploadOptions = {
  file: File
  values: ImageValues
  blockSize: BlockSize
  transport: UploadTransport
  /** Bytes of the disk in the file, if it is converted. */
  diskSize?: number
  /** The names of the temporary disk and snapshot. */
  names?: TemporaryNames
  /** The import to resume, instead of starting a new one. */
  resumed?: ImportDisk
  /** SHA-256; undefined if it cannot be computed. */
  hash?: (file: Blob, signal: AbortSignal) => Promise<string | undefined>
  /** Called when the temporary disk exists: from then on, a reload would leave it behind. */
  onDisk?: (disk: ImportDisk) => void
  /** Called when the temporary disk is deleted. */
  onDiskGone?: (disk: ImportDisk) => void
  /** Called when the temporary disk could not be deleted. */
  onLeftover?: (disk: ImportDisk, error: unknown) => void
}

/**
 * One upload of an image: a temporary disk is written, its snapshot becomes the image, and both are
 * deleted. Independent of React, which follows it by `subscribe` and `getState`.
 */
export class ImageUpload {
  readonly file: File
  private state = firstState
  private readonly options: UploadOptions
  private readonly transport: UploadTransport
  private readonly listeners = new Set<() => void>()
  private readonly cancelled = new AbortController()
  private readonly chunkSize: number
  private readonly meter: Meter
  private disk: ImportDisk | undefined
  private finalized = false
  private snapshotId: string | undefined
  private pausing: PromiseWithResolvers<void> | undefined
  private waiting = 0
  private lost = false

  constructor(options: UploadOptions) {
    this.options = options
    this.file = options.file
    this.transport = options.transport
    this.disk = options.resumed
    this.chunkSize = chunkSizeOf(options.file, Boolean(options.transport.writeRaw))
    this.meter = new Meter(options.file.size, (measured) => this.set(measured))
  }

  readonly getState = (): UploadState => this.state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  private set(change: Partial<UploadState>) {
    this.state = { ...this.state, ...change }
    this.listeners.forEach((listener) => listener())
  }

  /**
   * Resolves when the image is created, or the temporary disk and snapshot are deleted; never
   * rejects.
   */
  async run(): Promise<void> {
    try {
      for (const step of uploadSteps) {
        this.cancelled.signal.throwIfAborted()
        this.set({ steps: { ...this.state.steps, [step]: 'running' } })
        await this[step]()
        this.set({ steps: { ...this.state.steps, [step]: 'complete' } })
      }
    } catch (error) {
      if (!this.cancelled.signal.aborted) this.fail(error)
      await this.cleanUp()
    }
  }

  private fail(error: unknown) {
    const running = uploadSteps.find((step) => this.state.steps[step] === 'running')!
    const steps = { ...this.state.steps, [running]: 'error' }
    this.set({ phase: 'failed', error: uploadErrorMessage(error), steps })
  }

  /** Cancels the upload and deletes its temporary resources. Does nothing after its end. */
  cancel(): void {
    if (this.state.phase !== 'running') return
    this.set({ phase: 'cancelled' })
    this.cancelled.abort()
    this.pausing?.resolve()
  }

  /** Sends no further chunk until `resume`; chunks in flight are finished. */
  pause(): void {
    this.pausing ??= Promise.withResolvers()
    this.showWriting()
  }

  resume(): void {
    this.pausing?.resolve()
    this.pausing = undefined
    this.showWriting()
  }

  private showWriting() {
    const writing = this.pausing ? 'paused' : this.waiting > 0 ? 'reconnecting' : 'sending'
    if (writing !== 'sending') this.meter.stop()
    this.set({ writing })
  }

  protected async createDisk() {
    const { options, transport, file } = this
    if (this.disk) return
    const { name, snapshotName } = options.names ?? temporaryNames()
    const { id } = await transport.createDisk(
      name,
      file.name,
      Math.max(file.size, options.diskSize ?? 0),
      options.blockSize,
    )
    this.disk = { id, name, snapshotName }
    options.onDisk?.(this.disk)
  }

  protected async startImport() {
    const { id } = this.disk!
    if (this.options.resumed) {
      const { state } = await this.transport.viewDisk(id)
      if (state.state === importSteps.start.to) return
    }
    await this.transport.startImport(id)
  }

  protected async writeFile() {
    const { transport, file, options } = this
    const { signal } = this.cancelled
    const hashing = transport.checksum && options.hash?.(file, signal)
    let written: Extent[] = []
    if (options.resumed) written = await this.writtenSoFar()
    do {
      this.lost = false
      this.meter.restart()
      const { chunkSize } = this
      await writeChunks({
        file,
        written,
        chunkSize,
        marksEnd: transport.conversion !== undefined,
        signal,
        turn: async () => this.pausing?.promise,
        onProcessed: (bytes: number) => this.meter.add(bytes),
        write: (extent, always, stop) => this.writeChunk(extent, always, stop),
      })
      // A server that went down may have lost the last chunks it acknowledged.
      if (this.lost) written = await this.writtenSoFar()
    } while (this.lost)
    this.meter.finish()
    if (!hashing) return
    this.set({ writing: 'verifying' })
    await this.verify(await hashing)
  }

  /** Small files are sent encoded, unless only raw bytes fit through a proxy. */
  private async writeChunk(extent: Extent, always: boolean, stop: AbortSignal): Promise<void> {
    const { transport, file, chunkSize } = this
    const { writeRaw } = transport
    const id = this.disk!.id
    const { offset } = extent
    if (!writeRaw || (chunkSize === CHUNK_SIZE && !isRefusedSize(ENCODED_CHUNK))) {
      const bytes = await readUnlessZero(file, extent, always)
      if (!bytes) return
      try {
        return await this.patiently(
          (each) => transport.write(id, offset, toBase64(bytes), each),
          stop,
        )
      } catch (error) {
        if (!writeRaw || !(error instanceof ProxyLimitError)) throw error
      }
    }
    const chunk = await takeSlice(file, extent, always)
    if (chunk) await this.patiently((each) => writeRaw(id, offset, chunk, each), stop)
  }

  private async verify(ours: string | undefined) {
    const { transport, file, disk } = this
    if (!ours) return
    const theirs = await this.patiently(() => transport.checksum!(disk!.id, file.size)).catch(
      (error: unknown) => {
        // A missing checksum of the server is no error: the upload is just not verified.
        if (error instanceof ApiError) return undefined
        throw error
      },
    )
    if (theirs && theirs !== ours) {
      throw new DifferentContentError(
        'The data received by the server differs from the file. Upload it again.',
      )
    }
    this.set({ verified: Boolean(theirs) })
  }

  private async writtenSoFar(): Promise<Extent[]> {
    const { transport, disk } = this
    return (await this.patiently(async () => transport.written?.(disk!.id))) ?? []
  }

  /**
   * Runs an idempotent call, with retries.
   * @throws after too many failures; waits for a lost connection if the server can resume
   */
  private async patiently<T>(
    action: (signal: AbortSignal) => Promise<T>,
    stop = this.cancelled.signal,
  ): Promise<T> {
    const resumable = Boolean(this.transport.written)
    let failures = 0
    let waits = 0
    for (;;) {
      try {
        return await action(AbortSignal.any([stop, AbortSignal.timeout(REQUEST_TIMEOUT)]))
      } catch (error) {
        stop.throwIfAborted()
        if (error instanceof ProxyLimitError) throw error
        if (resumable && connectionLost(error)) await this.waitForConnection(waits++, stop)
        else if (failures++ >= RETRIES) throw error
      }
    }
  }

  private async waitForConnection(waits: number, stop: AbortSignal) {
    this.lost = true
    this.waiting++
    this.showWriting()
    try {
      await waitOnline(Math.min(FIRST_WAIT * 2 ** waits, LONGEST_WAIT), stop)
    } finally {
      this.waiting--
      this.showWriting()
    }
  }

  protected async stopImport() {
    await this.transport.stopImport(this.disk!.id)
  }

  protected async finalize() {
    const { id, snapshotName } = this.disk!
    this.finalized = true
    await this.transport.finalize(id, snapshotName)
    if (this.transport.conversion) await this.conversion(id)
    this.snapshotId = await this.transport.snapshotId(snapshotName)
  }

  /** Waits for the conversion of the image, if the bytes of the file are not those of a disk. */
  private async conversion(id: string) {
    await waitUntilFinalized(this.transport, id, async () => {
      this.cancelled.signal.throwIfAborted()
      const conversion = await this.patiently(() => this.transport.conversion!(id))
      if (conversion) this.set({ converted: conversion.percent })
    })
    if ((await this.transport.viewDisk(id)).state.state !== 'faulted') return
    const problem = (await this.transport.conversion!(id))?.problem
    if (problem) throw new ConversionError(problem)
  }

  protected async createImage() {
    await this.transport.createImage(this.options.values, this.snapshotId!)
  }

  protected async deleteTemporary() {
    await this.transport.deleteSnapshot(this.snapshotId!)
    this.snapshotId = undefined
    this.finalized = false
    await waitUntilFinalized(this.transport, this.disk!.id)
    await this.transport.deleteDisk(this.disk!.id)
    this.options.onDiskGone?.(this.disk!)
    this.disk = undefined
  }

  protected async done() {
    this.set({ phase: 'done' })
  }

  private async cleanUp() {
    const { disk, transport, options } = this
    if (!disk) return
    try {
      await discardImport(transport, disk)
      // Until then, its snapshot may still wait for the image.
      if (this.finalized) await this.deleteSnapshot(disk.snapshotName)
      options.onDiskGone?.(disk)
    } catch (error) {
      options.onLeftover?.(disk, error)
    }
  }

  private async deleteSnapshot(name: string) {
    try {
      await this.transport.deleteSnapshot(
        this.snapshotId ?? (await this.transport.snapshotId(name)),
      )
    } catch (error) {
      // Finalizing may have failed before the snapshot was created.
      if (!(error instanceof ApiError && error.statusCode === 404)) throw error
    }
  }
}
