import { RAW_CHUNK_MAX } from '../../storage/disks/rules.ts'
import { UPDATE_REPOSITORY_MAX } from '../updates/rules.ts'
import { bytes, shortText, uint64 } from '../../schema.ts'
import {
  SystemVersion,
  TufRepo,
  TufRepoUpload,
  UpdateUpload,
  UpdateUploadCreate,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const updateRepositoryOperations = {
  ...usual('update_repository', {
    item: TufRepo,
    id: 'system_update_repository',
    path: '/v1/system/update/repositories/{system_version}',
    tag: 'system/update',
  })({
    system_update_repository_list: {
      summary: 'List releases, newest version first',
      sort: 'version',
    },
    system_update_repository_upload: {
      route: 'PUT /v1/system/update/repositories',
      summary: 'Upload the repository of a release',
      permission: { update_repository: 'create', trust_root: 'list' },
      query: { file_name: shortText },
      body: bytes,
      bodyType: 'application/octet-stream',
      streamed: true,
      maxBody: UPDATE_REPOSITORY_MAX,
      transaction: 'own',
      audited: { kind: 'update_repository' },
      answer: TufRepoUpload,
    },
    system_update_repository_view: { params: { system_version: SystemVersion } },
  }),
  ...usual('update_upload', {
    item: UpdateUpload,
    path: '/x/v1/system/update/uploads/{upload_id}',
  })({
    update_upload_list: { summary: 'List repository uploads in progress', sort: 'id', live: true },
    update_upload_create: {
      summary: 'Start a resumable upload of a repository',
      audited: { kind: 'update_upload', name: 'file_name' },
      // The volume for its bytes is created between two transactions.
      transaction: 'own',
      body: UpdateUploadCreate,
    },
    update_upload_view: { summary: 'Show the progress of an upload', live: true },
    update_upload_write: {
      route: 'PUT contents',
      summary: 'Upload a part of a repository',
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
      summary: 'Verify a complete upload and add its release',
      permission: { update_upload: 'modify', update_repository: 'create', trust_root: 'list' },
      transaction: 'own',
      success: { status: 200, schema: TufRepoUpload },
    },
    update_upload_delete: { summary: 'Give up an upload' },
  }),
}
