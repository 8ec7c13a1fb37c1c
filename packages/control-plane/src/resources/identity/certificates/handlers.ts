import type { tables, Wire } from '@steading/api'
import { may } from '../../../kernel/authz/actor.ts'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { type Row, readLive } from '../../../kernel/kinds.ts'
import { each } from '../../../kernel/search/search.ts'
import { deleteRow } from '../../../kernel/named-rows.ts'
import { identityOf } from '../../../kernel/identity.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { createCertificate } from './create.ts'
import { endingCertificates } from './ending.ts'

const toWire = (row: Row<'certificate'>): Wire.Certificate => ({
  ...identityOf(row),
  service: row.service,
  cert: row.cert,
})

const certificates = usualHandlers('certificate', each(toWire))

export const certificateHandlers: Handlers<typeof tables.certificateOperations> = {
  certificate_list: certificates.list,
  certificate_view: certificates.view,
  certificate_delete: certificates.delete((ctx, row) => deleteRow(ctx, 'certificate', row)),

  async certificate_ending_list({ actor, db, now }) {
    const { siloId } = actor
    const ofAll = may(actor, 'read', 'fleet', {})
    if (!ofAll && !may(actor, 'list', 'certificate', { siloId })) return { items: [] }
    return { items: await endingCertificates(db, now, ofAll ? undefined : siloId) }
  },

  async certificate_create(ctx) {
    const { siloId } = ctx.actor
    authorize(ctx, 'certificate', { siloId })
    const silo = await readLive(ctx.db, 'silo', siloId)
    return toWire(await createCertificate(ctx, silo, ctx.body))
  },
}
