import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { RAW_CHUNK_MAX } from '../../storage/disks/rules.ts'
import { UPDATE_REPOSITORY_MAX } from '../updates/rules.ts'
import { bytes, shortText, uint64, uuid } from '../../schema.ts'
import {
  SystemVersion,
  TufRepo,
  TufRepoResultsPage,
  TufRepoUpload,
  UpdateUpload,
  UpdateUploadCreate,
  UpdateUploadResultsPage,
} from './schemas.ts'

const tags = ['system/update']
const path = '/v1/system/update/repositories'
const uploads = '/x/v1/system/update/uploads'
const params = { upload_id: uuid }

export const updateRepositoryOperations = {
  system_update_repository_list: {
    method: 'GET',
    path,
    tags,
    summary: 'List releases, newest version first',
    permission: { update_repository: 'list' },
    ...paged('version'),
    success: { status: 200, schema: TufRepoResultsPage },
  },
  system_update_repository_upload: {
    method: 'PUT',
    path,
    tags,
    summary: 'Upload the repository of a release',
    permission: { update_repository: 'create', trust_root: 'list' },
    query: { file_name: shortText },
    body: bytes,
    bodyType: 'application/octet-stream',
    streamed: true,
    maxBody: UPDATE_REPOSITORY_MAX,
    transaction: 'own',
    audited: { kind: 'update_repository' },
    success: { status: 200, schema: TufRepoUpload },
  },
  system_update_repository_view: {
    method: 'GET',
    path: `${path}/{system_version}`,
    tags,
    summary: 'Show a release',
    permission: { update_repository: 'read' },
    params: { system_version: SystemVersion },
    success: { status: 200, schema: TufRepo },
  },
  update_upload_list: {
    method: 'GET',
    path: uploads,
    tags: ['extensions'],
    summary: 'List repository uploads in progress',
    permission: { update_upload: 'list' },
    ...paged('id'),
    live: true,
    success: { status: 200, schema: UpdateUploadResultsPage },
  },
  update_upload_create: {
    method: 'POST',
    path: uploads,
    tags: ['extensions'],
    summary: 'Start a resumable upload of a repository',
    permission: { update_upload: 'create' },
    audited: { kind: 'update_upload', name: 'file_name' },
    // The volume for its bytes is created between two transactions.
    transaction: 'own',
    body: UpdateUploadCreate,
    success: { status: 201, schema: UpdateUpload },
  },
  update_upload_view: {
    method: 'GET',
    path: `${uploads}/{upload_id}`,
    tags: ['extensions'],
    summary: 'Show the progress of an upload',
    permission: { update_upload: 'read' },
    params,
    live: true,
    success: { status: 200, schema: UpdateUpload },
  },
  update_upload_write: {
    method: 'PUT',
    path: `${uploads}/{upload_id}/contents`,
    tags: ['extensions'],
    summary: 'Upload a part of a repository',
    permission: { update_upload: 'modify' },
    params,
    query: { offset: uint64 },
    body: bytes,
    bodyType: 'application/octet-stream',
    maxBody: RAW_CHUNK_MAX,
    transaction: 'none',
    // The audit log has the start and the end of an upload, not its parts.
    audited: false,
    success: { status: 204 },
  },
  update_upload_finish: {
    method: 'POST',
    path: `${uploads}/{upload_id}/finish`,
    tags: ['extensions'],
    summary: 'Verify a complete upload and add its release',
    permission: { update_upload: 'modify', update_repository: 'create', trust_root: 'list' },
    params,
    transaction: 'own',
    success: { status: 200, schema: TufRepoUpload },
  },
  update_upload_delete: {
    method: 'DELETE',
    path: `${uploads}/{upload_id}`,
    tags: ['extensions'],
    summary: 'Give up an upload',
    permission: { update_upload: 'modify' },
    params,
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
