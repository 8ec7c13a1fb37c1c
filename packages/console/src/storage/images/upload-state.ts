/** The steps of an upload in order, with their labels. */
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
  /** The activity within the step `writeFile`. */
  writing: 'sending' | 'paused' | 'reconnecting' | 'verifying'
  /** Bytes of the file sent or skipped. */
  processed: number
  /** Percentage of chunks sent or skipped. */
  percent: number
  /** Recent rate in bytes per second. */
  rate: number | undefined
  /** Whether the server's checksum matches the file. */
  verified: boolean
  /** Percentage of the conversion; undefined if there is none. */
  converted: number | undefined
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
  converted: undefined,
  error: undefined,
}

/** Fields of the form that describe the image. */
export type ImageValues = { name: string; description: string; os: string; version: string }

/** A byte range of a disk. */
export type Extent = { offset: number; length: number }

/** The temporary disk of an upload, and the name of its snapshot. */
export type ImportDisk = { id: string; name: string; snapshotName: string }
