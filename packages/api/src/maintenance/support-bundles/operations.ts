import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { ageWords } from '../../rules/limits.ts'
import { supportBundleStates } from './rules.ts'
import { bytes as zip, type Fields, longText, resultsPage, shortText, uuid } from '../../schema.ts'
import { searched } from '../../searched.ts'
import {
  SupportBundleCreate,
  SupportBundleDetails,
  SupportBundleInfo,
  SupportBundleUpdate,
} from './schemas.ts'

const tags = ['system/support-bundles']
const path = '/v1/system/support-bundles'
const one = `${path}/{bundle_id}`
const params = { bundle_id: uuid }
const range = { range: shortText.optional() }

/** A byte answer that supports ranges. */
const bytes = <const Method extends 'GET' | 'HEAD', const Path extends string>(
  method: Method,
  its: Path,
  summary: string,
  further: Fields = {},
) =>
  ({
    method,
    path: its,
    tags,
    summary,
    permission: { support_bundle: 'read' },
    params: { ...params, ...further },
    headers: range,
    success: { status: 200, schema: zip, contentType: 'application/zip', freeForm: true },
  }) as const satisfies Operation

const support_bundle_list = {
  method: 'GET',
  path,
  tags,
  summary: 'List support bundles',
  permission: { support_bundle: 'list' },
  ...paged('time_and_id'),
  success: { status: 200, schema: resultsPage(SupportBundleInfo) },
} as const satisfies Operation

const support_bundle_create = {
  method: 'POST',
  path,
  tags,
  summary: 'Start collecting a support bundle',
  permission: { support_bundle: 'create' },
  body: SupportBundleCreate,
  success: { status: 201, schema: SupportBundleInfo },
} as const satisfies Operation

const support_bundle_view = {
  method: 'GET',
  path: one,
  tags,
  summary: 'Show a support bundle',
  permission: { support_bundle: 'read' },
  params,
  success: { status: 200, schema: SupportBundleInfo },
} as const satisfies Operation

const support_bundle_update = {
  method: 'PUT',
  path: one,
  tags,
  summary: 'Change the comment of a support bundle',
  permission: { support_bundle: 'modify' },
  params,
  body: SupportBundleUpdate,
  success: { status: 200, schema: SupportBundleInfo },
} as const satisfies Operation

const support_bundle_delete = {
  method: 'DELETE',
  path: one,
  tags,
  summary: 'Delete a support bundle, or cancel its collection',
  permission: { support_bundle: 'modify' },
  params,
  success: { status: 204 },
} as const satisfies Operation

const file = { file: longText }
const support_bundle_index = bytes('GET', `${one}/index`, 'List the files of a support bundle')
const support_bundle_download = bytes('GET', `${one}/download`, 'Download a support bundle')
const support_bundle_head = bytes('HEAD', `${one}/download`, 'Show the size of a support bundle')
const support_bundle_download_file = bytes(
  'GET',
  `${one}/download/{file}`,
  'Download a file of a support bundle',
  file,
)
const support_bundle_head_file = bytes(
  'HEAD',
  `${one}/download/{file}`,
  'Show the size of a file of a support bundle',
  file,
)

/** The operation at its former path, for older clients. */
function former<Op extends Operation>(operation: Op) {
  const { bundle_id, ...others } = operation.params ?? {}
  return {
    ...operation,
    path: operation.path
      .replace(path, `/experimental${path}`)
      .replace('bundle_id', 'support_bundle'),
    tags: ['hidden'],
    // Ranges are served as well, but not declared.
    headers: {},
    ...(bundle_id ? { params: { support_bundle: bundle_id, ...others } } : {}),
  } as const
}

export const supportBundleOperations = {
  support_bundle_list,
  support_bundle_search: searched({
    kind: 'SupportBundle',
    item: SupportBundleDetails,
    plain: support_bundle_list,
    columns: ['time_created', 'user_comment', 'state', 'size'],
    filters: { state: supportBundleStates, age: ageWords },
  }),
  support_bundle_create,
  support_bundle_view,
  support_bundle_update,
  support_bundle_delete,
  support_bundle_index,
  support_bundle_download,
  support_bundle_head,
  support_bundle_download_file,
  support_bundle_head_file,
  support_bundle_list_experimental: {
    ...former(support_bundle_list),
    ...paged('id'),
  },
  support_bundle_create_experimental: {
    ...former(support_bundle_create),
    // Clients send no body, or a body with a comment.
    body: SupportBundleCreate.optional(),
  },
  support_bundle_view_experimental: former(support_bundle_view),
  support_bundle_update_experimental: { ...former(support_bundle_update), unpublished: true },
  support_bundle_delete_experimental: former(support_bundle_delete),
  support_bundle_index_experimental: former(support_bundle_index),
  support_bundle_download_experimental: former(support_bundle_download),
  support_bundle_head_experimental: former(support_bundle_head),
  support_bundle_download_file_experimental: former(support_bundle_download_file),
  support_bundle_head_file_experimental: former(support_bundle_head_file),
} as const satisfies Record<string, Operation>
