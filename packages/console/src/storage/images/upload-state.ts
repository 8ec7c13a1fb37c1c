/** The steps of an upload in their order, with their names on the screen. */
export const stepLabels = {
  createDisk: 'Create temporary disk',
  startImport: 'Put disk in import mode',
  writeFile: 'Upload image file',
  stopImport: 'Get disk out of import mode',
  finalize: 'Finalize disk and create snapshot',
  createImage: 'Create image',
  deleteTemporary: 'Delete disk and snapshot',
  done: 'Image uploaded successfully',
} as const

export type UploadStep = keyof typeof stepLabels
export const uploadSteps = Object.keys(stepLabels) as UploadStep[]

export type StepStatus = 'ready' | 'running' | 'complete' | 'error'

export type UploadState = {
  steps: Readonly<Record<UploadStep, StepStatus>>
  /** `failed` and `cancelled` may still be cleaning up. */
  phase: 'running' | 'done' | 'failed' | 'cancelled'
  /** What the writing of the file is doing while it is the running step. */
  writing: 'sending' | 'paused' | 'reconnecting' | 'verifying'
  /** Bytes of the file that were sent or skipped. */
  processed: number
  /** Percent of the chunks that were sent or skipped. */
  percent: number
  /** Bytes a second, lately. */
  rate: number | undefined
  /** The server's checksum is that of the file. */
  verified: boolean
  error: string | undefined
}

export const firstState: UploadState = {
  steps: Object.fromEntries(uploadSteps.map((step) => [step, 'ready'])) as UploadState['steps'],
  phase: 'running',
  writing: 'sending',
  processed: 0,
  percent: 0,
  rate: undefined,
  verified: false,
  error: undefined,
}

/** What the user has entered. */
export type ImageValues = { name: string; description: string; os: string; version: string }

/** A stretch of a disk, in bytes. */
export type Extent = { offset: number; length: number }

/** The temporary things of an upload. */
export type ImportDisk = { id: string; name: string; snapshotName: string }
