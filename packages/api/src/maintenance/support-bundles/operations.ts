import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { ageWords } from '../../rules/limits.ts'
import { supportBundleStates } from './rules.ts'
import { bytes as zip, type Fields, longText, shortText, uuid } from '../../schema.ts'
import {
  SupportBundleCreate,
  SupportBundleDetails,
  SupportBundleInfo,
  SupportBundleUpdate,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

const path = '/v1/system/support-bundles'
const one = `${path}/{bundle_id}`

const bundles = usual('support_bundle', {
  item: SupportBundleInfo,
  path: one,
  tag: 'system/support-bundles',
})({
  support_bundle_list: { sort: 'time_and_id' },
  support_bundle_search: {
    pages: SupportBundleDetails,
    items: 'SupportBundle',
    allColumns: ['time_created', 'user_comment', 'state', 'size'],
    filters: { state: supportBundleStates, age: ageWords },
  },
  support_bundle_create: {
    summary: 'Start collecting a support bundle',
    body: SupportBundleCreate,
  },
  support_bundle_view: {},
  support_bundle_update: {
    summary: 'Change the comment of a support bundle',
    body: SupportBundleUpdate,
  },
  support_bundle_delete: { summary: 'Delete a support bundle, or cancel its collection' },
})

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
    tags: ['system/support-bundles'],
    summary,
    permission: { support_bundle: 'read' },
    params: { bundle_id: uuid, ...further },
    headers: { range: shortText.optional() },
    success: { status: 200, schema: zip, contentType: 'application/zip', freeForm: true },
  }) as const satisfies Operation

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
  ...bundles,
  support_bundle_index,
  support_bundle_download,
  support_bundle_head,
  support_bundle_download_file,
  support_bundle_head_file,
  support_bundle_list_experimental: {
    ...former(bundles.support_bundle_list),
    ...paged('id'),
  },
  support_bundle_create_experimental: {
    ...former(bundles.support_bundle_create),
    // Clients send no body, or a body with a comment.
    body: SupportBundleCreate.optional(),
  },
  support_bundle_view_experimental: former(bundles.support_bundle_view),
  support_bundle_update_experimental: {
    ...former(bundles.support_bundle_update),
    unpublished: true,
  },
  support_bundle_delete_experimental: former(bundles.support_bundle_delete),
  support_bundle_index_experimental: former(support_bundle_index),
  support_bundle_download_experimental: former(support_bundle_download),
  support_bundle_head_experimental: former(support_bundle_head),
  support_bundle_download_file_experimental: former(support_bundle_download_file),
  support_bundle_head_file_experimental: former(support_bundle_head_file),
} as const satisfies Record<string, Operation>
