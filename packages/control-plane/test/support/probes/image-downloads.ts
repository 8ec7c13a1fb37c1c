import { addDownload, downloadBody } from '../image-downloads.ts'
import { plain, type Probes } from './probe.ts'
import { fresh, ids, parents, server } from './world.ts'

const one = async (state: 'downloading' | 'failed') => {
  await server.db.deleteFrom('image_download').execute()
  return { params: { image_download: await addDownload(server, ids.project, { state }) } }
}
const create = (for_silo: boolean) => async () => {
  await server.db.deleteFrom('image_download').execute()
  return { query: parents, body: downloadBody(fresh(), { for_silo }) }
}

export const imageDownloadsProbes = {
  image_download_list: {
    'of a project': { args: () => ({ query: parents }), about: ['project'] },
    'for the silo': { args: () => ({}), about: ['silo_image'] },
  },
  image_download_create: {
    'in a project': { args: create(false), about: ['project'] },
    'in the silo': { args: create(true) },
  },
  image_download_view: { args: () => one('failed') },
  image_download_cancel: { args: () => one('downloading') },
  image_download_retry: { args: () => one('failed'), about: ['image_download'] },
  image_download_delete: { args: () => one('failed') },
  image_catalog_view: plain,
  image_catalog_update: { args: () => ({ body: { images: null } }) },
} satisfies Partial<Probes>
