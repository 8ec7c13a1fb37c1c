import { BULK_WRITE_BODY_MAX } from '../../rules/limits.ts'
import { describeJson } from '../../describe-json.ts'
import { blockSizes, diskTypes } from './rules.ts'
import {
  boolean,
  ByteCount,
  identity,
  identityCreate,
  Name,
  named,
  NameOrId,
  object,
  oneOf,
  record,
  scalar,
  string,
  tagged,
  text,
  uint64,
  uuid,
} from '../../schema.ts'
import { changed } from '../../versions.ts'
import { diskBackendChange } from './upgrade.ts'

export const BlockSize = named(
  'BlockSize',
  scalar({ type: 'integer', enum: blockSizes }, (value) => {
    if (typeof value !== 'number') return `invalid type: ${describeJson(value)}, expected u32`
    return (blockSizes as readonly number[]).includes(value)
      ? undefined
      : `invalid block size ${value}`
  }),
)

export const DiskType = named('DiskType', oneOf(...diskTypes))

export const DiskState = named(
  'DiskState',
  tagged('state', {
    creating: {},
    detached: {},
    import_ready: {},
    importing_from_url: {},
    importing_from_bulk_writes: {},
    finalizing: {},
    maintenance: {},
    attaching: { instance: uuid },
    attached: { instance: uuid },
    detaching: { instance: uuid },
    destroyed: {},
    faulted: {},
  }),
)

export const DiskSource = named(
  'DiskSource',
  tagged('type', {
    blank: { block_size: BlockSize },
    snapshot: { snapshot_id: uuid, read_only: boolean.default(false) },
    image: { image_id: uuid, read_only: boolean.default(false) },
    importing_blocks: { block_size: BlockSize },
  }),
)

export const DiskBackend = named(
  'DiskBackend',
  tagged('type', { local: {}, distributed: { disk_source: DiskSource } }),
)

/** Fields of a new disk, also one created together with an instance. */
export const diskCreate = { ...identityCreate, disk_backend: DiskBackend, size: ByteCount }
export const DiskCreate = changed(record('DiskCreate', diskCreate), diskBackendChange)

export const Disk = record('Disk', {
  ...identity,
  project_id: uuid,
  snapshot_id: uuid.nullable().optional(),
  image_id: uuid.nullable().optional(),
  size: ByteCount,
  block_size: BlockSize,
  state: DiskState,
  device_path: string,
  disk_type: DiskType,
  read_only: boolean,
})

export const DiskPath = named('DiskPath', object({ disk: NameOrId }))

export const DiskGrow = record('DiskGrow', {
  /** Larger than the present size; a whole number of GiB. */
  size: ByteCount,
})

export const DiskRollBack = record('DiskRollBack', {
  /** A ready snapshot of this disk. */
  snapshot: NameOrId,
})

/** An import chunk, block-aligned and within the disk. */
export const ImportBlocksBulkWrite = record('ImportBlocksBulkWrite', {
  offset: uint64,
  base64_encoded_data: text(BULK_WRITE_BODY_MAX),
})

export const FinalizeDisk = record('FinalizeDisk', {
  /** Creates a snapshot with this name once the import is finalized. */
  snapshot_name: Name.nullable().optional(),
})

/** A range of bytes written in part of an upload. */
export const ByteExtent = record('ByteExtent', { offset: ByteCount, length: ByteCount })
