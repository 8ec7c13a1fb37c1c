import { BULK_WRITE_BODY_MAX } from '../../rules/limits.ts'
import { quickChunk } from './quick-chunk.ts'
import { FinalizeDisk, ImportBlocksBulkWrite } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

/** Imports of disks in base64 chunks. */
export const diskImportOperations = usual('disk')({
  disk_bulk_write_import_start: {
    route: 'POST bulk-write-start',
    summary: 'Begin to import blocks into a disk',
    success: { status: 204 },
  },
  disk_bulk_write_import: {
    route: 'POST bulk-write',
    summary: 'Import a chunk of blocks into a disk',
    body: ImportBlocksBulkWrite,
    maxBody: BULK_WRITE_BODY_MAX,
    quickBody: quickChunk,
    transaction: 'none',
    // The audit log has the start and the end of an import, not its chunks.
    audited: false,
    success: { status: 204 },
  },
  disk_bulk_write_import_stop: {
    route: 'POST bulk-write-stop',
    summary: 'Stop importing blocks into a disk',
    evenIfFull: true,
    success: { status: 204 },
  },
  disk_finalize_import: {
    route: 'POST finalize',
    summary: 'Finish an import, and take a snapshot if asked',
    body: FinalizeDisk,
    evenIfFull: true,
    success: { status: 204 },
    changes: ['snapshot'],
  },
})
