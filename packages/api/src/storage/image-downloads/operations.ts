import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId, uuid } from '../../schema.ts'
import { ImageDownload, ImageDownloadCreate, ImageDownloadResultsPage } from './schemas.ts'

const tags = ['extensions']
const path = '/x/v1/image-downloads'
const one = `${path}/{image_download}`
const params = { image_download: uuid }

/** Images of a project or of the silo, made of the file at a URL. */
export const imageDownloadOperations = {
  image_download_list: {
    method: 'GET',
    path,
    tags,
    summary: 'List the image downloads of a project, or those for the silo if no project is given',
    permission: { project: 'list', silo_image: 'list' },
    ...paged('time_and_id', { project: NameOrId.optional() }),
    success: { status: 200, schema: ImageDownloadResultsPage },
  },
  image_download_create: {
    method: 'POST',
    path,
    tags,
    summary: 'Start making an image of the file at a URL',
    permission: { project: 'create', silo_image: 'create' },
    query: { project: NameOrId },
    body: ImageDownloadCreate,
    actsLater: 'mandate',
    success: { status: 201, schema: ImageDownload },
  },
  image_download_view: {
    method: 'GET',
    path: one,
    tags,
    summary: 'Show an image download and its progress',
    permission: { image_download: 'read' },
    params,
    success: { status: 200, schema: ImageDownload },
  },
  image_download_cancel: {
    method: 'POST',
    path: `${one}/cancel`,
    tags,
    summary: 'Cancel an image download, and delete what it has stored',
    permission: { image_download: 'modify' },
    params,
    evenIfFull: true,
    success: { status: 202, schema: ImageDownload },
  },
  image_download_retry: {
    method: 'POST',
    path: `${one}/retry`,
    tags,
    summary: 'Start a failed or cancelled image download again',
    permission: { image_download: 'modify', silo_image: 'create' },
    params,
    actsLater: 'mandate',
    success: { status: 202, schema: ImageDownload },
  },
  image_download_delete: {
    method: 'DELETE',
    path: one,
    tags,
    summary: 'Delete an image download that has ended; its image stays',
    permission: { image_download: 'modify' },
    params,
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
