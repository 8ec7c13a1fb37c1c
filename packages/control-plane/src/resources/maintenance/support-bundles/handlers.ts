import type { tables, Wire } from '@steading/api'
import {
  bundleCommentProblem,
  BUNDLES_MAX,
  FLEET_ID,
  supportBundleMessages,
  supportBundleName,
} from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { pageByTime } from '../../../kernel/paging.ts'
import type { Work } from '../../../kernel/work.ts'
import { deleteBundle } from './delete.ts'
import { serveBundle, serveFile, serveIndex } from './files.ts'
import { toWireBundle } from './kind.ts'
import { unclaimed } from '../../../kernel/db/leases.ts'
import { each } from '../../../kernel/search/search.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { usualHandlers } from '../../usual-handlers.ts'

type Bundle = Row<'support_bundle'>

/** @throws ApiError 400 for a comment that is too long */
function commentOf({ user_comment: comment }: { user_comment?: string | null }): string {
  const problem = comment ? bundleCommentProblem(comment) : undefined
  if (problem) throw fail.invalidRequest(problem)
  return comment ?? ''
}

/** @throws ApiError 507 if the maximum number of bundles exists */
async function createBundle(
  { db, now, emit, afterCommit, services }: Work,
  user_comment: string,
): Promise<Bundle> {
  const kept = await rowsOf(db, 'support_bundle').select('its.id').limit(BUNDLES_MAX).execute()
  if (kept.length >= BUNDLES_MAX) throw fail.insufficientCapacity(supportBundleMessages.noRoom)
  const time = now.toISOString()
  const bundle: Bundle = {
    id: crypto.randomUUID(),
    fleet_id: FLEET_ID,
    name: supportBundleName(time),
    state: 'collecting',
    user_comment,
    reason_for_creation: supportBundleMessages.created,
    reason_for_failure: null,
    volume_id: null,
    size: 0,
    time_created: time,
    time_deleted: null,
    reconcile_at: time,
    ...unclaimed,
  }
  await db.insertInto('support_bundle').values(bundle).execute()
  await emit('support_bundle', 'create', bundle)
  afterCommit(async () => services.reconciler.wake('support_bundle'))
  return bundle
}

async function updateBundle(
  { db, emit }: Work,
  bundle: Bundle,
  body: Wire.SupportBundleUpdate,
): Promise<Bundle> {
  const user_comment = commentOf(body)
  await changeRow(db, 'support_bundle', bundle.id, { user_comment })
  await emit('support_bundle', 'update', bundle)
  return { ...bundle, user_comment }
}

const bundles = usualHandlers('support_bundle', each(toWireBundle), 'bundle_id')
/** For the paths of earlier clients. */
const oldBundles = usualHandlers('support_bundle', each(toWireBundle), 'support_bundle')

export const supportBundleHandlers: Handlers<typeof tables.supportBundleOperations> = {
  support_bundle_search: bundles.search,
  support_bundle_view: bundles.view,
  support_bundle_delete: bundles.delete(deleteBundle),
  support_bundle_list_experimental: oldBundles.list,
  support_bundle_view_experimental: oldBundles.view,
  support_bundle_delete_experimental: oldBundles.delete(deleteBundle),
  support_bundle_update: bundles.change(updateBundle),
  support_bundle_update_experimental: oldBundles.change(updateBundle),
  support_bundle_index: async (ctx) => serveIndex(ctx, await bundles.find(ctx)),
  support_bundle_download: async (ctx) => serveBundle(ctx, await bundles.find(ctx)),
  support_bundle_head: async (ctx) => serveBundle(ctx, await bundles.find(ctx)),
  support_bundle_download_file: async (ctx) =>
    serveFile(ctx, await bundles.find(ctx), ctx.params.file),
  support_bundle_head_file: async (ctx) => serveFile(ctx, await bundles.find(ctx), ctx.params.file),
  support_bundle_index_experimental: async (ctx) => serveIndex(ctx, await oldBundles.find(ctx)),
  support_bundle_download_experimental: async (ctx) => serveBundle(ctx, await oldBundles.find(ctx)),
  support_bundle_head_experimental: async (ctx) => serveBundle(ctx, await oldBundles.find(ctx)),
  support_bundle_download_file_experimental: async (ctx) =>
    serveFile(ctx, await oldBundles.find(ctx), ctx.params.file),
  support_bundle_head_file_experimental: async (ctx) =>
    serveFile(ctx, await oldBundles.find(ctx), ctx.params.file),

  async support_bundle_list(ctx) {
    authorize(ctx, 'support_bundle', {})
    const rows = rowsOf(ctx.db, 'support_bundle').selectAll()
    const columns = { time: 'time_created', id: 'id' }
    return pageByTime(ctx.page, rows, columns, ({ time_created }) => time_created, toWireBundle)
  },
  async support_bundle_create(ctx) {
    authorize(ctx, 'support_bundle', {})
    return toWireBundle(await createBundle(ctx, commentOf(ctx.body)))
  },
  async support_bundle_create_experimental(ctx) {
    authorize(ctx, 'support_bundle', {})
    return toWireBundle(await createBundle(ctx, commentOf(ctx.body ?? {})))
  },
}
