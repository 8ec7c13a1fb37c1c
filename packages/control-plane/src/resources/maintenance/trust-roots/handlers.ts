import type { tables, Wire } from '@steading/api'
import { FLEET_ID } from '@steading/api/rules'
import { checkTrustRoot, sha256, TufProblem } from '@steading/tuf'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { trustRootDocument } from './table.ts'

const toWire = ({ id, root, time_created }: Row<'trust_root'>): Wire.UpdatesTrustRoot => ({
  id,
  root_role: trustRootDocument.read(root),
  time_created,
})

/** Roots have no names, so their digests identify them. */
const named = ({ id, digest }: Row<'trust_root'>) => ({ id, name: digest.slice(0, 12) })

export const trustRootHandlers: Handlers<typeof tables.trustRootOperations> = {
  async system_update_trust_root_list(ctx) {
    authorize(ctx, 'trust_root', {})
    return listPage(ctx.page, rowsOf(ctx.db, 'trust_root').selectAll(), { id: 'id' }, toWire)
  },

  async system_update_trust_root_create(ctx) {
    authorize(ctx, 'trust_root', {})
    const text = await checkTrustRoot(ctx.body, ctx.now).catch((error: unknown) => {
      if (!(error instanceof TufProblem)) throw error
      throw fail.invalidRequest(`The trust root cannot be used: ${error.message}`)
    })
    const root: Row<'trust_root'> = {
      id: crypto.randomUUID(),
      fleet_id: FLEET_ID,
      root: trustRootDocument.write(ctx.body),
      digest: await sha256(text),
      time_created: ctx.now.toISOString(),
    }
    await ctx.db.insertInto('trust_root').values(root).execute()
    await ctx.emit('trust_root', 'create', named(root))
    return toWire(root)
  },

  async system_update_trust_root_view(ctx) {
    return toWire(await lookup(ctx, 'trust_root', ctx.params.trust_root_id))
  },

  async system_update_trust_root_delete(ctx) {
    const root = await lookup(ctx, 'trust_root', ctx.params.trust_root_id)
    await ctx.db.deleteFrom('trust_root').where('id', '=', root.id).execute()
    await ctx.emit('trust_root', 'delete', named(root))
  },
}
