import type { tables } from '@steading/api'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { deniedPacketsOf, firewallUseOf, systemNetworks } from './observed.ts'
import { statusOf } from './status.ts'

export const vpcNetworkHandlers: Handlers<typeof tables.vpcNetworkOperations> = {
  async vpc_network_status_view(ctx) {
    const { id } = await lookup(ctx, 'vpc', ctx.params.vpc, ctx.query)
    const { networking, vpcNetworks } = ctx.services
    if (vpcNetworks) {
      const hosts = vpcNetworks.health?.().hosts ?? []
      const silent = hosts.filter(({ silentSince }) => silentSince !== undefined)
      return {
        carried: true,
        ...(await statusOf(ctx.db, id)),
        hosts: hosts.length,
        silent_hosts: silent.length,
      }
    }
    // An engine without either asks the network model about each packet.
    const carried = networking === undefined
    return { carried, version: null, time_applied: null, behind: false, hosts: 0, silent_hosts: 0 }
  },

  async vpc_firewall_use_view(ctx) {
    const { id } = await lookup(ctx, 'vpc', ctx.params.vpc, ctx.query)
    return firewallUseOf(ctx.services.vpcNetworks, id)
  },

  async instance_denied_packets_view(ctx) {
    const { id } = await lookup(ctx, 'instance', ctx.params.instance, ctx.query)
    return deniedPacketsOf(ctx.db, ctx.services.vpcNetworks, id)
  },

  async system_networks_view(ctx) {
    authorize(ctx, 'fleet', {})
    return systemNetworks(ctx.services.vpcNetworks)
  },
}
