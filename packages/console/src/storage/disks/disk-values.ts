import type { DiskBackend, DiskCreate } from '@steading/api/client'
import { DISTRIBUTED_DISK_MAX_SIZE, GiB } from '@steading/api/rules'

/** The values of the form for a new disk. */
export type DiskValues = {
  name: string
  description: string
  /** GiB. */
  size: number
  diskType: 'distributed' | 'local'
  source: 'blank' | 'snapshot' | 'image'
  blockSize: string
  snapshotId: string
  imageId: string
  readOnly: boolean
  /** Name of the storage pool; empty for the usual one. */
  pool: string
}

export const DEFAULT_BLOCK_SIZE = '4096'
/** GiB. */
export const DISTRIBUTED_MAX = DISTRIBUTED_DISK_MAX_SIZE / GiB

export const defaultDiskValues: DiskValues = {
  name: '',
  description: '',
  size: 10,
  diskType: 'distributed',
  source: 'blank',
  blockSize: DEFAULT_BLOCK_SIZE,
  snapshotId: '',
  imageId: '',
  readOnly: false,
  pool: '',
}

function toBackend(values: DiskValues): DiskBackend {
  const { diskType, source, snapshotId, imageId, readOnly } = values
  if (diskType === 'local') return { type: 'local' }
  if (source === 'snapshot') {
    return { type: 'distributed', diskSource: { type: 'snapshot', snapshotId, readOnly } }
  }
  if (source === 'image') {
    return { type: 'distributed', diskSource: { type: 'image', imageId, readOnly } }
  }
  const blockSize = Number(values.blockSize) as 512 | 2048 | 4096
  return { type: 'distributed', diskSource: { type: 'blank', blockSize } }
}

/** The request body for the values of the form. */
export function toDiskCreate(values: DiskValues): DiskCreate {
  const { name, description, size } = values
  return { name, description, size: size * GiB, diskBackend: toBackend(values) }
}
