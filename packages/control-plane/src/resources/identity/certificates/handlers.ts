import type { tables, Wire } from '@steading/api'
import { may } from '../../../kernel/authz/actor.ts'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { createCertificate } from './create.ts'
import { endingCertificates } from './ending.ts'

const toWire = (row: Row<'certificate'>): Wire.Certificate => ({
  id: row.id,
  name: row.name,
  description: row.description,
  service: row.service,
  cert: row.cert,
  time_created: row.time_created,
  time_modified: row.time_modified,
})

export const certificateHandlers: Handlers<typeof tables.certificateOperations> = {
  async certificate_list(ctx) {
    const { siloId } = ctx.actor
    authorize(ctx, 'certificate', { siloId })
    const rows = rowsOf(ctx.db, 'certificate').selectAll().where('silo_id', '=', siloId)
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWire)
  },

  async certificate_ending_list({ actor, db, now }) {
    const { siloId } = actor
    const ofAll = may(actor, 'read', 'fleet', {})
    if (!ofAll && !may(actor, 'list', 'certificate', { siloId })) return { items: [] }
    return { items: await endingCertificates(db, now, ofAll ? undefined : siloId) }
  },

  async certificate_create(ctx) {
    const { siloId } = ctx.actor
    authorize(ctx, 'certificate', { siloId })
    const silo = await rowsOf(ctx.db, 'silo')
      .selectAll()
      .where('its.id', '=', siloId)
      .executeTakeFirstOrThrow()
    return toWire(await createCertificate(ctx, silo, ctx.body))
  },

  async certificate_view(ctx) {
    return toWire(await lookup(ctx, 'certificate', ctx.params.certificate))
  },

  async certificate_delete(ctx) {
    const certificate = await lookup(ctx, 'certificate', ctx.params.certificate)
    await ctx.db.deleteFrom('certificate').where('id', '=', certificate.id).execute()
    await ctx.emit('certificate', 'delete', certificate)
  },
}
