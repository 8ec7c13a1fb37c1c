import { RAW_CHUNK_MAX } from '@steading/api/rules'
import { expect, test, vi } from 'vitest'
import { CHUNK_SIZE, PARALLEL } from '../../src/storage/images/upload-chunks.ts'
import { compareWithWritten } from '../../src/storage/images/upload-resume.ts'
import { uploadSteps } from '../../src/storage/images/upload-state.ts'
import { ImageUpload, type UploadOptions } from '../../src/storage/images/upload.ts'
import { difference, noise, sha256 } from './bytes.ts'
import { apiError, UploadServer } from './upload-server.ts'

const values = { name: 'image', description: '', os: '', version: '' }

/** Chunks of noise, with zeros at the given indexes, and half a chunk at the end. */
function fileOf(chunks: number, zeros: number[] = []) {
  const bytes = noise(chunks * CHUNK_SIZE - CHUNK_SIZE / 2)
  for (const zero of zeros) bytes.fill(0, zero * CHUNK_SIZE, (zero + 1) * CHUNK_SIZE)
  return { bytes, file: new File([bytes], 'disk.raw') }
}

const hash = async (file: Blob) => sha256(new Uint8Array(await file.arrayBuffer()))

function uploadTo(server: UploadServer, options: Partial<UploadOptions> & { file: File }) {
  const transport = server.transport()
  return new ImageUpload({ values, blockSize: 512, transport, hash, ...options })
}

test('the file arrives without its zeros, at most six chunks at a time', async () => {
  const { bytes, file } = fileOf(20, [0, 7, 8])
  const server = new UploadServer()
  const upload = uploadTo(server, { file })
  await upload.run()
  expect(upload.getState()).toMatchObject({ phase: 'done', percent: 100, verified: true })
  expect(uploadSteps.map((step) => upload.getState().steps[step])).toEqual(
    uploadSteps.map(() => 'complete'),
  )
  expect(difference(server.bytes(bytes.length), bytes)).toBe(-1)
  expect(server.chunks.size).toBe(17)
  expect(server.mostInFlight).toBe(PARALLEL)
  expect(server.steps()).toEqual([
    'createDisk',
    'startImport',
    'checksum',
    'stopImport',
    'finalize with snapshot',
    'snapshotId',
    'createImage',
    'deleteSnapshot',
    'viewDisk',
    'deleteDisk',
  ])
})

test('a large file is sent as raw bytes, in larger chunks @long', async () => {
  const { bytes, file } = fileOf(130, [0, 1, 2, 3, 4, 5, 6, 7, 20])
  const server = new UploadServer()
  const upload = uploadTo(server, { file })
  await upload.run()
  expect(upload.getState()).toMatchObject({ phase: 'done', percent: 100, verified: true })
  expect(difference(server.bytes(bytes.length), bytes)).toBe(-1)
  const sizes = [...server.chunks.values()].map(({ length }) => length)
  expect(Math.max(...sizes)).toBe(RAW_CHUNK_MAX)
  // The first chunk is all zeros and skipped; zeros inside of the third are sent.
  expect(server.chunks.size).toBe(Math.ceil(bytes.length / RAW_CHUNK_MAX) - 1)
})

test('a control plane without extensions gets the file too', async () => {
  const { file } = fileOf(3)
  const server = new UploadServer()
  const upload = uploadTo(server, { file, transport: server.transport({ resumable: false }) })
  await upload.run()
  expect(upload.getState()).toMatchObject({ phase: 'done', verified: false })
})

test('a chunk is tried three times', async () => {
  const { file } = fileOf(4)
  const server = new UploadServer()
  let failures = 2
  server.before = (operation, offset) => {
    if (operation === 'write' && offset === CHUNK_SIZE && failures-- > 0) throw apiError(500)
  }
  const upload = uploadTo(server, { file })
  await upload.run()
  expect(upload.getState().phase).toBe('done')
})

test('after three failures the upload fails and deletes what it created', async () => {
  const { file } = fileOf(30)
  const server = new UploadServer()
  server.before = (operation, offset) => {
    if (operation === 'write' && offset === CHUNK_SIZE)
      throw apiError(400, 'InvalidRequest', 'Full')
  }
  const gone = vi.fn<() => void>()
  const upload = uploadTo(server, { file, onDiskGone: gone })
  await upload.run()
  const { phase, error, steps } = upload.getState()
  expect({ phase, error }).toEqual({ phase: 'failed', error: 'Full' })
  expect(steps).toMatchObject({ startImport: 'complete', writeFile: 'error', stopImport: 'ready' })
  expect(server.steps().slice(2)).toEqual([
    'viewDisk',
    'stopImport',
    'finalize',
    'viewDisk',
    'deleteDisk',
  ])
  expect(server.inFlight).toBe(0)
  expect(gone).toHaveBeenCalledOnce()
})

test('technical errors are not shown', async () => {
  const { file } = fileOf(1)
  const server = new UploadServer()
  server.before = (operation) => {
    if (operation === 'createImage') throw apiError(500, 'Internal', 'index out of bounds')
  }
  const upload = uploadTo(server, { file })
  await upload.run()
  expect(upload.getState().error).toBe('Something went wrong. Please try again.')
  expect(server.state).toBe('deleted')
  expect(server.snapshot).toBe(false)
})

test('cancelling sends no more chunks and cleans up', async () => {
  const { file } = fileOf(40)
  const server = new UploadServer()
  const upload = uploadTo(server, { file })
  server.before = (operation, offset) => {
    if (operation === 'write' && offset === 10 * CHUNK_SIZE) upload.cancel()
  }
  await upload.run()
  expect(upload.getState()).toMatchObject({ phase: 'cancelled', error: undefined })
  expect(server.chunks.size).toBeLessThan(20)
  expect(server.state).toBe('deleted')
})

test('cancelling while the disk is being made waits for it, to delete it', async () => {
  const server = new UploadServer()
  const upload = uploadTo(server, { file: fileOf(2).file })
  server.before = (operation) => {
    if (operation === 'createDisk') upload.cancel()
  }
  await upload.run()
  expect(server.steps()).toEqual(['createDisk', 'viewDisk', 'finalize', 'viewDisk', 'deleteDisk'])
})

test('cancelling while the image is converted deletes the disk and then its snapshot', async () => {
  const server = new UploadServer()
  server.converts = true
  const upload = uploadTo(server, { file: fileOf(2).file })
  let finalized = false
  server.before = (operation) => {
    if (operation === 'finalize with snapshot') finalized = true
    else if (finalized && operation === 'viewDisk') upload.cancel()
  }
  await upload.run()
  expect(upload.getState()).toMatchObject({ phase: 'cancelled', error: undefined })
  expect(server.steps().slice(-3)).toEqual(['deleteDisk', 'snapshotId', 'deleteSnapshot'])
  expect(server).toMatchObject({ state: 'deleted', snapshot: false })
})

test('a pause sends nothing until it ends @long', async () => {
  const { bytes, file } = fileOf(30)
  const server = new UploadServer()
  const upload = uploadTo(server, { file })
  server.before = (operation, offset) => {
    if (operation === 'write' && offset === 8 * CHUNK_SIZE) upload.pause()
  }
  const running = upload.run()
  await vi.waitFor(() => expect(upload.getState().writing).toBe('paused'), 30_000)
  await vi.waitFor(() => expect(server.inFlight).toBe(0), 30_000)
  const sent = server.chunks.size
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(server.chunks.size).toBe(sent)
  expect(sent).toBeLessThan(30)
  upload.resume()
  await running
  expect(difference(server.bytes(bytes.length), bytes)).toBe(-1)
})

test('a paused upload can be cancelled', async () => {
  const server = new UploadServer()
  const upload = uploadTo(server, { file: fileOf(8).file })
  upload.pause()
  const running = upload.run()
  await vi.waitFor(() => expect(upload.getState().steps.writeFile).toBe('running'), 30_000)
  upload.cancel()
  await running
  expect(server.state).toBe('deleted')
})

test('waits for a lost connection, and resends data the server lost @long', async () => {
  const { bytes, file } = fileOf(12)
  const server = new UploadServer()
  const upload = uploadTo(server, { file })
  let outage = 8
  server.before = (operation, offset) => {
    if (operation !== 'write' || offset! < 6 * CHUNK_SIZE || outage-- <= 0) return
    // The server lost the last chunk that it had acknowledged.
    server.chunks.delete(2 * CHUNK_SIZE)
    throw new TypeError('Failed to fetch')
  }
  const states = new Set<string>()
  upload.subscribe(() => states.add(upload.getState().writing))
  await upload.run()
  expect(upload.getState().phase).toBe('done')
  expect([...states]).toContain('reconnecting')
  expect(difference(server.bytes(bytes.length), bytes)).toBe(-1)
})

test('without extensions a lost connection ends the upload after three tries', async () => {
  const server = new UploadServer()
  server.before = (operation) => {
    if (operation === 'write') throw new TypeError('Failed to fetch')
  }
  const transport = server.transport({ resumable: false })
  const upload = uploadTo(server, { file: fileOf(2).file, transport })
  await upload.run()
  expect(upload.getState().error).toBe('Something went wrong. Please try again.')
})

test('a resumed upload sends only the missing chunks', async () => {
  const { bytes, file } = fileOf(10)
  const server = new UploadServer()
  server.state = 'importing_from_bulk_writes'
  for (const at of [0, 1, 2, 5]) {
    const chunk = bytes.subarray(at * CHUNK_SIZE, (at + 1) * CHUNK_SIZE)
    server.chunks.set(at * CHUNK_SIZE, new Uint8Array(chunk))
  }
  const resumed = { id: 'disk-id', name: 'tmp-for-image-1', snapshotName: 'tmp-snapshot-1' }
  await compareWithWritten(server.transport(), 'disk-id', file)
  const upload = uploadTo(server, { file, resumed })
  await upload.run()
  expect(upload.getState()).toMatchObject({ phase: 'done', verified: true })
  expect(server.calls.filter((call) => call === 'write')).toHaveLength(6)
  expect(server.calls).not.toContain('createDisk')
  expect(server.calls).not.toContain('startImport')
})

test('an upload cannot be resumed with another file', async () => {
  const server = new UploadServer()
  server.chunks.set(CHUNK_SIZE, noise(CHUNK_SIZE, 2))
  await expect(compareWithWritten(server.transport(), 'disk-id', fileOf(3).file)).rejects.toThrow(
    'its contents differ',
  )
})

test('a different checksum fails the upload', async () => {
  const server = new UploadServer()
  const upload = uploadTo(server, { file: fileOf(2).file, hash: async () => 'another' })
  await upload.run()
  expect(upload.getState().error).toMatch('differs from the file')
  expect(server.state).toBe('deleted')
})

test('a temporary disk that cannot be deleted is reported', async () => {
  const server = new UploadServer()
  const onLeftover = vi.fn<() => void>()
  const upload = uploadTo(server, { file: fileOf(2).file, onLeftover })
  server.before = (operation) => {
    if (operation === 'createImage' || operation === 'deleteDisk') throw apiError(503)
  }
  await upload.run()
  expect(onLeftover).toHaveBeenCalledOnce()
})
