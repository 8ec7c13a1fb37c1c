import type { tables, Wire } from '@steading/api'
import {
  IMAGE_DOWNLOADS_MAX,
  imageDownloadMessages,
  imageDownloadRefusal,
  type ImageDownloadAction,
  imageDownloadIsActive,
  imageDownloadStates,
} from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { unclaimed } from '../../../kernel/db/leases.ts'
import { deleteRow } from '../../../kernel/named-rows.ts'
import { fail, refuseIf } from '../../../kernel/errors.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { lookup, type LookupContext } from '../../../kernel/lookup.ts'
import { pageByTime } from '../../../kernel/paging.ts'
import type { Work } from '../../../kernel/work.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { authoredBy } from '../../identity/access-tokens/mandate.ts'
import { requireFree } from '../images/create.ts'
import { checksumColumn, type DownloadRow, toWireDownloads } from './kind.ts'

const activeStates = imageDownloadStates.filter(imageDownloadIsActive)

const toWire = async (db: Db, row: DownloadRow): Promise<Wire.ImageDownload> =>
  (await toWireDownloads(db, [row]))[0]!

/** @throws ApiError 501 at a host that reaches no other sites */
function requireSources({ services }: Pick<Work, 'services'>): void {
  if (!services.imageSources) throw fail.notImplemented(imageDownloadMessages.unavailable)
}

type Place = Pick<DownloadRow, 'silo_id' | 'project_id' | 'for_silo'>

/** @throws ApiError 400 if the name is taken, or too many downloads of the silo are in progress */
async function requirePlace({ db }: Pick<Work, 'db'>, place: Place, name: string): Promise<void> {
  const { silo_id, project_id, for_silo } = place
  await requireFree({ db }, { silo_id, project_id: for_silo ? null : project_id }, name)
  const active = await db
    .selectFrom('image_download')
    .select(['name', 'project_id', 'for_silo'])
    .where('silo_id', '=', silo_id)
    .where('state', 'in', activeStates)
    .execute()
  const same = active.some(
    (other) =>
      other.name === name &&
      other.for_silo === for_silo &&
      (for_silo === 1 || other.project_id === project_id),
  )
  if (same) throw fail.invalidRequest(imageDownloadMessages.nameInUse(name))
  if (active.length >= IMAGE_DOWNLOADS_MAX) {
    throw fail.invalidRequest(imageDownloadMessages.tooMany)
  }
}

/** The values of a download that starts. Its first step discards bytes of an earlier attempt. */
const beginning = (time: string) => ({
  state: 'downloading' as const,
  size: null,
  received: 0,
  furthest: 0,
  validator: null,
  wanted: null,
  attempts: 0,
  problem: null,
  image_id: null,
  time_started: time,
  time_finished: null,
  reconcile_at: time,
})

/** Writes new values of a download, after which the reconciler looks at it. */
async function change(
  { db, now, emit, afterCommit, services }: Work,
  row: DownloadRow,
  action: ImageDownloadAction,
  values: Partial<DownloadRow>,
): Promise<DownloadRow> {
  refuseIf(imageDownloadRefusal(action, row.state))
  const changed = await db
    .updateTable('image_download')
    .set({ ...values, reconcile_at: now.toISOString() })
    .where('id', '=', row.id)
    .where('state', '=', row.state)
    .returningAll()
    .executeTakeFirst()
  if (!changed) throw fail.conflict('image download changed meanwhile; try again')
  await emit('image_download', 'update', changed)
  afterCommit(async () => services.reconciler.wake('image_download'))
  return changed
}

/** The downloads of a list: those of a project, or for the caller's silo. */
async function listed(ctx: LookupContext<'project' | 'silo_image'>, project: string | undefined) {
  const rows = rowsOf(ctx.db, 'image_download')
  if (project) return rows.where('project_id', '=', (await lookup(ctx, 'project', project)).id)
  const { siloId } = ctx.actor
  // A role on the silo covers the projects, to which these downloads belong as well.
  authorize(ctx, 'silo_image', { siloId })
  return rows.where('silo_id', '=', siloId).where('for_silo', '=', 1)
}

const downloads = usualHandlers('image_download', (rows: DownloadRow[], { db }) =>
  toWireDownloads(db, rows),
)

export const imageDownloadHandlers: Handlers<typeof tables.imageDownloadOperations> = {
  image_download_view: downloads.view,

  async image_download_list(ctx) {
    const rows = (await listed(ctx, ctx.query.project)).selectAll()
    const columns = { time: 'time_created', id: 'id' }
    const page = await pageByTime(
      ctx.page,
      rows,
      columns,
      ({ time_created }) => time_created,
      (row) => row,
    )
    return { ...page, items: await toWireDownloads(ctx.db, page.items) }
  },

  async image_download_create(ctx) {
    const project = await lookup(ctx, 'project', ctx.query.project)
    const { siloId: silo_id } = ctx.actor
    const { checksum, block_size = null, for_silo, raw_disk, ...about } = ctx.body
    if (for_silo) authorize(ctx, 'silo_image', { siloId: silo_id })
    requireSources(ctx)
    const time = ctx.now.toISOString()
    const row: DownloadRow = {
      ...about,
      ...beginning(time),
      ...unclaimed,
      id: crypto.randomUUID(),
      project_id: project.id,
      silo_id,
      for_silo: for_silo ? 1 : 0,
      raw_disk: raw_disk ? 1 : 0,
      ...authoredBy(ctx.actor),
      checksum: checksum ? checksumColumn.write(checksum) : null,
      block_size,
      disk_id: null,
      snapshot_id: null,
      time_created: time,
    }
    await requirePlace(ctx, row, row.name)
    await ctx.db.insertInto('image_download').values(row).execute()
    await ctx.emit('image_download', 'create', row)
    ctx.afterCommit(async () => ctx.services.reconciler.wake('image_download'))
    return toWire(ctx.db, row)
  },

  async image_download_cancel(ctx) {
    const row = await downloads.find(ctx)
    const values = { state: 'cancelled', problem: null, time_finished: ctx.now.toISOString() }
    return toWire(ctx.db, await change(ctx, row, 'cancel', values as Partial<DownloadRow>))
  },

  async image_download_retry(ctx) {
    const row = await downloads.find(ctx)
    if (row.for_silo) authorize(ctx, 'silo_image', { siloId: row.silo_id })
    requireSources(ctx)
    refuseIf(imageDownloadRefusal('retry', row.state))
    await requirePlace(ctx, row, row.name)
    const values = { ...beginning(ctx.now.toISOString()), ...authoredBy(ctx.actor) }
    return toWire(ctx.db, await change(ctx, row, 'retry', values))
  },

  async image_download_delete(ctx) {
    const row = await downloads.find(ctx)
    refuseIf(imageDownloadRefusal('delete', row.state))
    if (row.disk_id !== null || row.snapshot_id !== null) {
      throw fail.conflict(imageDownloadMessages.cleaningUp)
    }
    await deleteRow(ctx, 'image_download', row)
  },
}
