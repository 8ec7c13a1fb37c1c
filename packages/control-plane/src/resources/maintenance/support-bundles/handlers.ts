import type { tables, Wire } from '@steading/api'
import {
  bundleCommentProblem,
  BUNDLES_MAX,
  FLEET_ID,
  supportBundleMessages,
  supportBundleName,
} from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Context, Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { searchList } from '../../../kernel/list.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { listPage, pageByTime } from '../../../kernel/paging.ts'
import type { Work } from '../../../kernel/work.ts'
import { deleteBundle } from './delete.ts'
import { serveBundle, serveFile, serveIndex } from './files.ts'
import { toWireBundle } from './wire.ts'
import { unclaimed } from '../../../kernel/db/leases.ts'

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
): Promise<Wire.SupportBundleInfo> {
  const user_comment = commentOf(body)
  await db.updateTable('support_bundle').set({ user_comment }).where('id', '=', bundle.id).execute()
  await emit('support_bundle', 'update', bundle)
  return toWireBundle({ ...bundle, user_comment })
}

type Reading = Context<'support_bundle_view'>
const find = (ctx: Pick<Reading, 'db' | 'actor' | 'requiredActions' | 'trail'>, id: string) =>
  lookup(ctx, 'support_bundle', id)

export const supportBundleHandlers: Handlers<typeof tables.supportBundleOperations> = {
  async support_bundle_list(ctx) {
    authorize(ctx, 'support_bundle', {})
    const rows = rowsOf(ctx.db, 'support_bundle').selectAll()
    const columns = { time: 'time_created', id: 'id' }
    return pageByTime(ctx.page, rows, columns, ({ time_created }) => time_created, toWireBundle)
  },
  async support_bundle_search(ctx) {
    authorize(ctx, 'support_bundle', {})
    return searchList(ctx, 'support_bundle', FLEET_ID)
  },
  async support_bundle_create(ctx) {
    authorize(ctx, 'support_bundle', {})
    return toWireBundle(await createBundle(ctx, commentOf(ctx.body)))
  },
  support_bundle_view: async (ctx) => toWireBundle(await find(ctx, ctx.params.bundle_id)),
  support_bundle_update: async (ctx) =>
    updateBundle(ctx, await lookup(ctx, 'support_bundle', ctx.params.bundle_id), ctx.body),
  async support_bundle_delete(ctx) {
    await deleteBundle(ctx, await lookup(ctx, 'support_bundle', ctx.params.bundle_id))
  },
  support_bundle_index: async (ctx) => serveIndex(ctx, await find(ctx, ctx.params.bundle_id)),
  support_bundle_download: async (ctx) => serveBundle(ctx, await find(ctx, ctx.params.bundle_id)),
  support_bundle_head: async (ctx) => serveBundle(ctx, await find(ctx, ctx.params.bundle_id)),
  support_bundle_download_file: async (ctx) =>
    serveFile(ctx, await find(ctx, ctx.params.bundle_id), ctx.params.file),
  support_bundle_head_file: async (ctx) =>
    serveFile(ctx, await find(ctx, ctx.params.bundle_id), ctx.params.file),

  async support_bundle_list_experimental(ctx) {
    authorize(ctx, 'support_bundle', {})
    const rows = rowsOf(ctx.db, 'support_bundle').selectAll()
    return listPage(ctx.page, rows, { id: 'id' }, toWireBundle)
  },
  async support_bundle_create_experimental(ctx) {
    authorize(ctx, 'support_bundle', {})
    return toWireBundle(await createBundle(ctx, commentOf(ctx.body ?? {})))
  },
  support_bundle_view_experimental: async (ctx) =>
    toWireBundle(await find(ctx, ctx.params.support_bundle)),
  support_bundle_update_experimental: async (ctx) =>
    updateBundle(ctx, await lookup(ctx, 'support_bundle', ctx.params.support_bundle), ctx.body),
  async support_bundle_delete_experimental(ctx) {
    await deleteBundle(ctx, await lookup(ctx, 'support_bundle', ctx.params.support_bundle))
  },
  support_bundle_index_experimental: async (ctx) =>
    serveIndex(ctx, await find(ctx, ctx.params.support_bundle)),
  support_bundle_download_experimental: async (ctx) =>
    serveBundle(ctx, await find(ctx, ctx.params.support_bundle)),
  support_bundle_head_experimental: async (ctx) =>
    serveBundle(ctx, await find(ctx, ctx.params.support_bundle)),
  support_bundle_download_file_experimental: async (ctx) =>
    serveFile(ctx, await find(ctx, ctx.params.support_bundle), ctx.params.file),
  support_bundle_head_file_experimental: async (ctx) =>
    serveFile(ctx, await find(ctx, ctx.params.support_bundle), ctx.params.file),
}
