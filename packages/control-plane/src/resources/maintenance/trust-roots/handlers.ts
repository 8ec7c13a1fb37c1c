import type { tables, Wire } from '@steading/api'
import { FLEET_ID } from '@steading/api/rules'
import { checkTrustRoot, sha256, TufProblem } from '@steading/tuf'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { each } from '../../../kernel/search/search.ts'
import { deleteRow } from '../../../kernel/named-rows.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { trustRootDocument } from './kind.ts'

const toWire = ({ id, root, time_created }: Row<'trust_root'>): Wire.UpdatesTrustRoot => ({
  id,
  root_role: trustRootDocument.read(root),
  time_created,
})

/** Roots have no names, so their digests identify them. */
const named = ({ id, digest }: Row<'trust_root'>) => ({ id, name: digest.slice(0, 12) })

const roots = usualHandlers('trust_root', each(toWire), 'trust_root_id')

export const trustRootHandlers: Handlers<typeof tables.trustRootOperations> = {
  system_update_trust_root_list: roots.list,
  system_update_trust_root_view: roots.view,
  system_update_trust_root_delete: roots.delete((ctx, root) =>
    deleteRow(ctx, 'trust_root', named(root)),
  ),

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
}
