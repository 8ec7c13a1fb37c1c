import type { tables } from '@steading/api'
import {
  ALLOW_LIST_MAX,
  admission,
  type AllowedSourceIps,
  allowedNetworkProblem,
  allowListMessages,
  FLEET_ID,
  formatNetwork,
  parseNetwork,
} from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { versioning } from '../../workspace/setting-versions/keep.ts'
import { readAllowed } from './read.ts'
import { allowedIps } from './table.ts'

/** @throws ApiError 400 for a list that admits no client */
function canonical(wanted: AllowedSourceIps): AllowedSourceIps {
  if (wanted.allow === 'any') return wanted
  if (wanted.ips.length > ALLOW_LIST_MAX) throw fail.invalidRequest(allowListMessages.tooMany)
  const ips = wanted.ips.map((ip) => formatNetwork(parseNetwork(ip)!))
  for (const ip of ips) {
    const problem = allowedNetworkProblem(ip)
    if (problem) throw fail.invalidRequest(problem)
  }
  return { allow: 'list', ips: [...new Set(ips)] }
}

export const allowListHandlers: Handlers<typeof tables.allowListOperations> = {
  async networking_allow_list_view(ctx) {
    authorize(ctx, 'fleet', {})
    const { row, allowed } = await readAllowed(ctx.db)
    const { time_created, time_modified } = row
    return { allowed_ips: allowed, time_created, time_modified }
  },

  async networking_allow_list_update(ctx) {
    authorize(ctx, 'fleet', {})
    const allowed = canonical(ctx.body.allowed_ips)
    const { clientAddress } = ctx.http
    // A host that does not know its clients' addresses cannot keep them out.
    if (clientAddress && !admission(allowed)(clientAddress)) {
      throw fail.invalidRequest(allowListMessages.lockout)
    }
    return versioning(ctx, 'allow_list', FLEET_ID, async () => {
      const time_modified = ctx.now.toISOString()
      await ctx.db
        .updateTable('allow_list')
        .set({ allowed_ips: allowedIps.write(allowed), time_modified })
        .execute()
      await ctx.emit('fleet', 'update', { id: FLEET_ID, name: 'fleet' })
      const { row } = await readAllowed(ctx.db)
      return { allowed_ips: allowed, time_created: row.time_created, time_modified }
    })
  },
}
