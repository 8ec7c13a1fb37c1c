import { ByteCount, bytes, list, record, shortText, string, uint32, uint64 } from '../../schema.ts'
import { ImageFormat } from '../images/schemas.ts'
import { RAW_CHUNK_MAX } from './rules.ts'
import { BlockSize, ByteExtent } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

/** The image in an import becomes the contents of the disk. */
export const ImageConversion = record('ImageConversion', {
  /** Null if it is not known. */
  format: ImageFormat.nullable(),
  /** The part that is done. */
  percent: uint32,
  /** Why it failed: a sentence for the user. The disk is faulted then, and without contents. */
  problem: string.nullable(),
})

/** Progress of an import. */
export const DiskImport = record('DiskImport', {
  size: ByteCount,
  block_size: BlockSize,
  /** Extents written and acknowledged; sorted, and not adjacent. */
  written: list(ByteExtent),
  /** From the end of an import whose bytes are an image that is converted. */
  conversion: ImageConversion.nullable(),
})

export const DiskChecksum = record('DiskChecksum', {
  /** Bytes from the start of the disk that the checksum covers. */
  length: ByteCount,
  /** Hexadecimal. */
  sha256: string,
})

const range = { range: shortText.optional() }

/** Raw bytes of disks and snapshots. */
export const diskContentsOperations = {
  ...usual('disk')({
    disk_contents: {
      route: 'GET contents',
      extension: true,
      summary: 'Download the contents of a disk; supports ranges',
      headers: range,
      success: { status: 200, schema: bytes, contentType: 'application/octet-stream' },
    },
  }),
  ...usual('snapshot')({
    snapshot_contents: {
      route: 'GET contents',
      extension: true,
      summary: 'Download the contents of a snapshot; supports ranges',
      headers: range,
      success: { status: 200, schema: bytes, contentType: 'application/octet-stream' },
    },
  }),
  ...usual('disk')({
    disk_contents_write: {
      route: 'PUT contents',
      extension: true,
      summary: 'Write raw bytes to a disk during an import',
      query: { offset: ByteCount },
      body: bytes,
      bodyType: 'application/octet-stream',
      maxBody: RAW_CHUNK_MAX,
      transaction: 'none',
      // The audit log has the start and the end of an import, not its chunks.
      audited: false,
      success: { status: 204 },
    },
    disk_import_view: {
      route: 'GET import',
      extension: true,
      summary: 'Show the progress of an import into a disk',
      answer: DiskImport,
    },
    disk_checksum: {
      route: 'GET checksum',
      extension: true,
      summary: 'Compute the checksum of a disk, or of its first bytes',
      query: {
        length: uint64.optional(),
        /**
         * Bytes per piece. If given, the checksum is the SHA-256 of the concatenated hexadecimal
         * checksums of the pieces. Browsers compute checksums of data in memory many times faster
         * than of a stream.
         */
        piece: uint64.optional(),
      },
      answer: DiskChecksum,
    },
  }),
}
