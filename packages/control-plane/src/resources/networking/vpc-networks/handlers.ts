import type { tables } from '@steading/api'
import { vpcNetworkMessages } from '@steading/api/rules'
import type { Handlers } from '../../../kernel/context.ts'
import { findRow } from '../../../kernel/db/rows.ts'
import { fail } from '../../../kernel/errors.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { desiredNetworkOf } from './desired.ts'

export const vpcNetworkHandlers: Handlers<typeof tables.vpcNetworkOperations> = {
  async vpc_network_status_view(ctx) {
    const { id } = await lookup(ctx, 'vpc', ctx.params.vpc, ctx.query)
    if (!ctx.services.vpcNetworks) {
      throw fail.notImplemented(vpcNetworkMessages.unavailable)
    }
    const row = await findRow(ctx.db, 'vpc_network', id)
    // Compared with the rows of this moment: the plan follows them a little later.
    const present = await desiredNetworkOf(ctx.db, id)
    return {
      version: row?.applied_version ?? null,
      time_applied: row?.time_applied ?? null,
      behind: row?.applied !== present?.digest,
    }
  },
}
