import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../data/api.ts'
import { currentCapabilities } from '../../data/capabilities.ts'
import { ApiError } from '../../data/errors.ts'
import type { SubmitError } from '../../ui/form/side-modal-form.tsx'
import { errorToast } from '../../ui/toasts.tsx'
import type { TemporaryNames } from './import-args.ts'
import { forgetUpload, holdUpload, rememberUpload } from './upload-memory.ts'
import type { ImageValues, ImportDisk } from './upload-state.ts'
import { uploadTransport, type BlockSize } from './upload-transport.ts'
import { ImageUpload } from './upload.ts'

/**
 * Checksum of a file (`hashPieces`), computed in a worker. Undefined if that fails, which must not
 * prevent the upload.
 */
function hashFile(file: Blob, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' })
    const finish = (sha256?: string) => {
      worker.terminate()
      resolve(sha256)
    }
    worker.addEventListener('message', ({ data }) => finish((data as { sha256?: string }).sha256))
    worker.addEventListener('error', () => finish())
    signal.addEventListener('abort', () => finish(), { once: true })
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- workers have none
    worker.postMessage(file)
  })
}

type Start = {
  file: File
  values: ImageValues
  blockSize: BlockSize
  /** Bytes of the disk in the file, if it is converted. */
  diskSize?: number
  names?: TemporaryNames
  resumed?: ImportDisk
}

/** The transport for uploads to a project. */
export const projectTransport = async (project: string) =>
  uploadTransport(project, await currentCapabilities())

/** State of an upload and its modal. A cancelled upload cleans up after the modal has closed. */
export function useUpload(project: string) {
  const [upload, setUpload] = useState<ImageUpload>()
  const [running, setRunning] = useState(false)

  const start = async ({ file, values, blockSize, diskSize, names, resumed }: Start) => {
    let release = () => {}
    const onDisk = (disk: ImportDisk) => {
      release = holdUpload(disk.id)
      rememberUpload({
        project,
        disk,
        fileName: file.name,
        fileSize: file.size,
        lastModified: file.lastModified,
        blockSize,
        values,
      })
    }
    const transport = await projectTransport(project)
    const next = new ImageUpload({
      file,
      values,
      blockSize,
      diskSize,
      names,
      resumed,
      transport,
      hash: hashFile,
      onDisk,
      onDiskGone: (disk) => forgetUpload(disk.id),
      onLeftover: (disk, error) =>
        errorToast(
          'Could not clean up',
          `The temporary disk ${disk.name} may not have been deleted. ${error instanceof Error ? error.message : ''}`,
        ),
    })
    if (resumed) onDisk(resumed)
    setUpload(next)
    setRunning(true)
    await next.run()
    release()
    setRunning(false)
  }

  /**
   * Asks for confirmation if closing cancels a running upload. @returns whether the modal may close
   */
  const mayClose = (): boolean => {
    if (upload?.getState().phase !== 'running') return true
    // The browser's own dialog: it must block the page while the user decides.
    // eslint-disable-next-line no-alert
    if (!confirm('Closing this cancels the upload. Cancel it and delete what has been uploaded?')) {
      return false
    }
    // It may have ended while the confirmation was open.
    if (upload.getState().phase === 'done') return false
    upload.cancel()
    return true
  }

  useBlocker({
    shouldBlockFn: () => !mayClose(),
    enableBeforeUnload: () => upload?.getState().phase === 'running',
  })

  return {
    upload,
    start,
    /** Cleaning up behind the closed modal. */
    cleaning: running && !upload,
    /** @returns whether the modal closed */
    close: (): boolean => {
      if (!mayClose()) return false
      setUpload(undefined)
      return true
    },
  }
}

/**
 * Checks the name before an upload, instead of failing after an hour. A 404 means the name is free.
 */
export async function imageNameTaken(project: string, name: string): Promise<SubmitError | null> {
  try {
    await call('imageView', { path: { image: name }, query: { project } }, { expected: [404] })
    return { message: 'Image name already exists', errorCode: 'ObjectAlreadyExists' }
  } catch (error) {
    if (error instanceof ApiError && error.statusCode === 404) return null
    throw error
  }
}
