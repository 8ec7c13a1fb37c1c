import type { tables } from '@steading/api'
import type { Handlers } from '../../../kernel/context.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { statusOf } from './status.ts'

export const vpcNetworkHandlers: Handlers<typeof tables.vpcNetworkOperations> = {
  async vpc_network_status_view(ctx) {
    const { id } = await lookup(ctx, 'vpc', ctx.params.vpc, ctx.query)
    const { networking, vpcNetworks } = ctx.services
    if (vpcNetworks) return { carried: true, ...(await statusOf(ctx.db, id)) }
    // An engine without either asks the network model about each packet.
    const carried = networking === undefined
    return { carried, version: null, time_applied: null, behind: false }
  },
}
