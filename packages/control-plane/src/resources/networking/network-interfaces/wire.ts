import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'
import { pick } from '../../../kernel/pick.ts'
import { transitNetworks } from './table.ts'

export type NetworkInterfaceRow = Row<'network_interface'>

const stack = (ip: string, transit: string): Wire.PrivateIpv4Stack & Wire.PrivateIpv6Stack => ({
  ip,
  transit_ips: transitNetworks.read(transit),
})

function ipStack(row: NetworkInterfaceRow): Wire.PrivateIpStack {
  const v4 = row.ipv4 === null ? undefined : stack(row.ipv4, row.transit_ips_v4)
  const v6 = row.ipv6 === null ? undefined : stack(row.ipv6, row.transit_ips_v6)
  if (v4 && v6) return { type: 'dual_stack', value: { v4, v6 } }
  // An interface has at least one address.
  return v4 ? { type: 'v4', value: v4 } : { type: 'v6', value: v6! }
}

export const toWireNetworkInterface = (
  row: NetworkInterfaceRow,
): Wire.InstanceNetworkInterface => ({
  ...identityOf(row),
  ...pick(row, 'instance_id', 'vpc_id', 'subnet_id', 'mac'),
  primary: row.is_primary === 1,
  ip_stack: ipStack(row),
})
