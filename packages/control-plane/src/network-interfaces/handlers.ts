import type { Wire } from '@steading/api'
import type { Selectable } from 'kysely'
import type { Handlers } from '../context.ts'
import type { NetworkInterfaceTable } from '../db/schema.ts'
import { lookupChild } from '../http/child.ts'
import { listPage } from '../http/paging.ts'

type NetworkInterfaceRow = Selectable<NetworkInterfaceTable>

function ipStack(row: NetworkInterfaceRow): Wire.PrivateIpStack {
  const v4 = row.ipv4 === null ? undefined : stack(row.ipv4, row.transit_ips_v4)
  const v6 = row.ipv6 === null ? undefined : stack(row.ipv6, row.transit_ips_v6)
  if (v4 && v6) return { type: 'dual_stack', value: { v4, v6 } }
  // An interface has at least one address.
  return v4 ? { type: 'v4', value: v4 } : { type: 'v6', value: v6! }
}

const stack = (ip: string, transitIps: string): Wire.PrivateIpv4Stack & Wire.PrivateIpv6Stack => ({
  ip,
  transit_ips: JSON.parse(transitIps) as string[],
})

const view = (row: NetworkInterfaceRow): Wire.InstanceNetworkInterface => ({
  id: row.id,
  name: row.name,
  description: row.description,
  instance_id: row.instance_id,
  vpc_id: row.vpc_id,
  subnet_id: row.subnet_id,
  mac: row.mac,
  primary: row.is_primary === 1,
  ip_stack: ipStack(row),
  time_created: row.time_created,
  time_modified: row.time_modified,
})

type NetworkInterfaceOperation =
  | 'instance_network_interface_list'
  | 'instance_network_interface_view'

export const networkInterfaceHandlers: Handlers<NetworkInterfaceOperation> = {
  async instance_network_interface_list(ctx) {
    const instance = await lookupChild(ctx, 'instance', ctx.query.instance!, ctx.query)
    const query = ctx.db
      .selectFrom('network_interface')
      .selectAll()
      .where('instance_id', '=', instance.id)
    return listPage(ctx.page, query, { name: 'name', id: 'id' }, view)
  },

  async instance_network_interface_view(ctx) {
    return view(await lookupChild(ctx, 'network_interface', ctx.params.interface, ctx.query))
  },
}
