import { addBundle } from '../bundles.ts'
import { plain, type Probes } from './probe.ts'
import { onceForEachServer, server } from './world.ts'

/** One bundle for all probes, because the maximum is soon reached. */
const bundle = onceForEachServer(() => addBundle(server.admin))
const aboutOne = async () => ({ params: { bundle_id: (await bundle()).id } })
const aboutFile = async () => ({
  params: { bundle_id: (await bundle()).id, file: 'manifest.json' },
})
const formerOne = async () => ({ params: { support_bundle: (await bundle()).id } })
const formerFile = async () => ({
  params: { support_bundle: (await bundle()).id, file: 'manifest.json' },
})
/** Deletes other bundles to make room, and returns a failed one, which is gone at once. */
async function failed(): Promise<string> {
  const { id } = await bundle()
  const row = await server.db
    .selectFrom('support_bundle')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const copy = {
    ...row,
    id: crypto.randomUUID(),
    state: 'failed' as const,
    volume_id: null,
    reconcile_at: null,
    lease_until: null,
  }
  await server.db.deleteFrom('support_bundle').where('id', '!=', id).execute()
  await server.db.insertInto('support_bundle').values(copy).execute()
  return copy.id
}
const created = async () => {
  await failed()
  return { body: { user_comment: 'It is slow' } }
}

export const supportBundlesProbes = {
  support_bundle_list: plain,
  support_bundle_search: plain,
  support_bundle_create: { args: created },
  support_bundle_view: { args: aboutOne },
  support_bundle_update: {
    args: async () => ({ ...(await aboutOne()), body: { user_comment: 'It is slow' } }),
  },
  support_bundle_delete: { args: async () => ({ params: { bundle_id: await failed() } }) },
  support_bundle_index: { args: aboutOne },
  support_bundle_download: { args: aboutOne },
  support_bundle_head: { args: aboutOne },
  support_bundle_download_file: { args: aboutFile },
  support_bundle_head_file: { args: aboutFile },
  support_bundle_list_experimental: plain,
  support_bundle_create_experimental: {
    args: async () => {
      await failed()
      return { body: { user_comment: 'It is slow' } }
    },
  },
  support_bundle_view_experimental: { args: formerOne },
  support_bundle_update_experimental: {
    args: async () => ({ ...(await formerOne()), body: { user_comment: 'It is slow' } }),
  },
  support_bundle_delete_experimental: {
    args: async () => ({ params: { support_bundle: await failed() } }),
  },
  support_bundle_index_experimental: { args: formerOne },
  support_bundle_download_experimental: { args: formerOne },
  support_bundle_head_experimental: { args: formerOne },
  support_bundle_download_file_experimental: { args: formerFile },
  support_bundle_head_file_experimental: { args: formerFile },
} satisfies Partial<Probes>
