import { addRelease, createPublisher, trustedPublisher } from '../updates.ts'
import { plain, type Probes } from './probe.ts'
import { onceForEachServer, server } from './world.ts'

const publisher = onceForEachServer(() => trustedPublisher(server.admin))
let minor = 0
/** A release of a new version. */
async function freshRelease(): Promise<string> {
  return (await addRelease(server.admin, await publisher(), `0.${++minor}.0`)).system_version
}
/** The last upload: a user may have only a few at a time. */
const upload = async () => {
  for (const { id } of (await server.admin.call('update_upload_list')).items) {
    await server.admin.call('update_upload_delete', { params: { upload_id: id } })
  }
  const body = { file_name: 'release.zip', size: 1 }
  return (await server.admin.call('update_upload_create', { body })).id
}
const aboutUpload = async () => ({ params: { upload_id: await upload() } })
const aboutRoot = async () => {
  const { root } = await createPublisher()
  const { id } = await server.admin.call('system_update_trust_root_create', { body: root })
  return { params: { trust_root_id: id } }
}

export const updatesProbes = {
  system_update_trust_root_list: plain,
  system_update_trust_root_create: {
    args: async () => ({ body: (await createPublisher()).root }),
  },
  system_update_trust_root_view: { args: aboutRoot },
  system_update_trust_root_delete: { args: aboutRoot },
  system_update_repository_list: plain,
  system_update_repository_view: {
    args: async () => ({ params: { system_version: await freshRelease() } }),
  },
  // The body is not a repository.
  system_update_repository_upload: {
    args: () => ({ query: { file_name: 'release.zip' }, body: 'x' as never }),
    passes: 400,
    about: ['update_repository'],
  },
  update_upload_list: plain,
  update_upload_create: {
    args: () => ({ body: { file_name: 'release.zip', size: 1 } }),
  },
  update_upload_view: { args: aboutUpload },
  update_upload_write: {
    args: async () => ({ ...(await aboutUpload()), query: { offset: 0 }, body: 'x' as never }),
  },
  update_upload_finish: { args: aboutUpload, passes: 400, about: ['update_upload'] },
  update_upload_delete: {
    args: async () => ({ params: { upload_id: await upload() } }),
  },
  system_update_status: plain,
  // No target has been set.
  target_release_view: { ...plain, passes: 404 },
  target_release_update: {
    args: () => ({ body: { system_version: '99.0.0' } }),
    passes: 404,
    about: ['fleet'],
  },
  system_update_recovery_finish: {
    args: () => ({ body: { system_version: '99.0.0' } }),
    passes: 404,
    about: ['fleet'],
  },
  update_rollout_view: plain,
  update_preview: {
    args: async () => ({ query: { system_version: await freshRelease() } }),
    about: ['fleet'],
  },
} satisfies Partial<Probes>
