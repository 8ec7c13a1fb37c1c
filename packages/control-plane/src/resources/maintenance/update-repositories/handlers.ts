import type { tables } from '@steading/api'
import { compareSystemVersions, systemVersionProblem } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { rowsOf, type Row } from '../../../kernel/kinds.ts'
import { pageOfFew } from '../../../kernel/paging.ts'
import { type Work, writingIn } from '../../../kernel/work.ts'
import { each } from '../../../kernel/search/search.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { registerUpload } from './register.ts'
import { beginUpload, openToPieces, removeUpload, writeBody, writePiece } from './uploads.ts'
import { toWireRepository, toWireUpload } from './kind.ts'

const writingOf = ({ now, actor, audit }: Pick<Work, 'now' | 'actor' | 'audit'>, db: Db) =>
  writingIn(db, now, actor, audit)

/** By version; versions that differ only in their build metadata, by their text. */
const byVersion = (a: string, b: string): number =>
  compareSystemVersions(a, b) || Number(a > b) - Number(a < b)

const repositories = usualHandlers('update_repository', each(toWireRepository), 'system_version')
const uploads = usualHandlers(
  'update_upload',
  (rows: Row<'update_upload'>[], { services }) =>
    Promise.all(rows.map((row) => toWireUpload(services.volumes, row))),
  'upload_id',
)

export const updateRepositoryHandlers: Handlers<typeof tables.updateRepositoryOperations> = {
  system_update_repository_view: repositories.view,
  update_upload_list: uploads.list,
  update_upload_view: uploads.view,

  async system_update_repository_list(ctx) {
    authorize(ctx, 'update_repository', {})
    const { lastSeen } = ctx.page
    if (lastSeen !== undefined && systemVersionProblem(lastSeen)) {
      throw fail.badRequest('invalid pagination marker')
    }
    const rows = await rowsOf(ctx.db, 'update_repository').selectAll('its').execute()
    const all = rows.map(toWireRepository)
    return pageOfFew(ctx.page, all, ({ system_version }) => system_version, byVersion)
  },

  async system_update_repository_upload(ctx) {
    authorize(ctx, 'update_repository', {})
    const { file_name } = ctx.query
    // The length of a chunked body is known only at its end.
    const size = Number(ctx.http.request.headers.get('content-length')) || undefined
    const upload = await beginUpload(ctx, { file_name, size })
    try {
      const size = await writeBody(ctx.services, upload, ctx.body)
      return await registerUpload(ctx, { ...upload, size })
    } catch (error) {
      await ctx.services.database.transaction((tx) => removeUpload(writingOf(ctx, tx), upload))
      await ctx.services.volumes.delete(upload.id)
      throw error
    }
  },

  async update_upload_create(ctx) {
    authorize(ctx, 'update_upload', {})
    const upload = await beginUpload(ctx, ctx.body)
    await ctx.services.database.transaction((tx) => openToPieces(writingOf(ctx, tx), upload))
    return toWireUpload(ctx.services.volumes, upload)
  },

  async update_upload_write(ctx) {
    const { id } = await uploads.find(ctx)
    await writePiece(ctx, id, ctx.query.offset, ctx.body)
  },

  async update_upload_finish(ctx) {
    const upload = await uploads.find(ctx)
    authorize(ctx, 'update_repository', {})
    return registerUpload(ctx, upload)
  },

  async update_upload_delete(ctx) {
    const upload = await uploads.find(ctx)
    await removeUpload(ctx, upload)
    ctx.afterCommit(() => ctx.services.volumes.delete(upload.id))
  },
}
