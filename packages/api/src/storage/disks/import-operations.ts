import type { Operation } from '../../operation.ts'
import { BULK_WRITE_BODY_MAX } from '../../rules/limits.ts'
import { NameOrId } from '../../schema.ts'
import { quickChunk } from './quick-chunk.ts'
import { FinalizeDisk, ImportBlocksBulkWrite } from './schemas.ts'

const tags = ['disks']
const params = { disk: NameOrId }
const query = { project: NameOrId.optional() }

/** Imports of disks in base64 chunks. */
export const diskImportOperations = {
  disk_bulk_write_import_start: {
    method: 'POST',
    path: '/v1/disks/{disk}/bulk-write-start',
    tags,
    summary: 'Begin to import blocks into a disk',
    permission: { disk: 'modify' },
    params,
    query,
    success: { status: 204 },
  },
  disk_bulk_write_import: {
    method: 'POST',
    path: '/v1/disks/{disk}/bulk-write',
    tags,
    summary: 'Import a chunk of blocks into a disk',
    permission: { disk: 'modify' },
    params,
    query,
    body: ImportBlocksBulkWrite,
    maxBody: BULK_WRITE_BODY_MAX,
    quickBody: quickChunk,
    transaction: 'none',
    // The audit log has the start and the end of an import, not its chunks.
    audited: false,
    success: { status: 204 },
  },
  disk_bulk_write_import_stop: {
    method: 'POST',
    path: '/v1/disks/{disk}/bulk-write-stop',
    tags,
    summary: 'Stop importing blocks into a disk',
    permission: { disk: 'modify' },
    params,
    query,
    evenIfFull: true,
    success: { status: 204 },
  },
  disk_finalize_import: {
    method: 'POST',
    path: '/v1/disks/{disk}/finalize',
    tags,
    summary: 'Finish an import, and take a snapshot if asked',
    permission: { disk: 'modify' },
    params,
    query,
    body: FinalizeDisk,
    evenIfFull: true,
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
