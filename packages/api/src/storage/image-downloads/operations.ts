import { NameOrId, uuid } from '../../schema.ts'
import { ImageDownload, ImageDownloadCreate } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

/** Images of a project or of the silo, made of the file at a URL. */
export const imageDownloadOperations = usual('image_download', {
  item: ImageDownload,
  path: '/x/v1/image-downloads/{image_download}',
  selectors: [],
  params: { image_download: uuid },
})({
  image_download_list: {
    summary: 'List the image downloads of a project, or those for the silo if no project is given',
    permission: { project: 'list', silo_image: 'list' },
    query: { project: NameOrId.optional() },
    sort: 'time_and_id',
  },
  image_download_create: {
    summary: 'Start making an image of the file at a URL',
    permission: { project: 'create', silo_image: 'create' },
    query: { project: NameOrId },
    body: ImageDownloadCreate,
    actsLater: 'mandate',
  },
  image_download_view: { summary: 'Show an image download and its progress' },
  image_download_cancel: {
    summary: 'Cancel an image download, and delete what it has stored',
    evenIfFull: true,
  },
  image_download_retry: {
    summary: 'Start a failed or cancelled image download again',
    permission: { image_download: 'modify', silo_image: 'create' },
    actsLater: 'mandate',
  },
  image_download_delete: { summary: 'Delete an image download that has ended; its image stays' },
})
